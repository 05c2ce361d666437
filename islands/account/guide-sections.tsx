import type { GuideText } from '../../locales/index.ts';
import styles from '../guide-reader.module.css';

export function GuideSections({ guide, contents }: { guide: GuideText; contents: string }) {
  return (
    <>
      <p className="lead">{guide.lead}</p>
      <nav
        className={`notice stack gap-4 not-printed ${styles.contents}`}
        aria-labelledby="contents"
      >
        <p className="note" id="contents">
          {contents}
        </p>
        <ol>
          {guide.sections.map(({ title }, at) => (
            <li key={title}>
              <a href={`#part-${at + 1}`}>{title}</a>
            </li>
          ))}
        </ol>
      </nav>
      {guide.sections.map(({ title, intro, parts }, at) => (
        <section key={title} className={`stack gap-16 ${styles.section}`} id={`part-${at + 1}`}>
          <h2>{title}</h2>
          <p className="soft">{intro}</p>
          {parts.map((part) => (
            <div key={part.title} className={`card stack gap-12 ${styles.part}`}>
              <h3>{part.title}</h3>
              <ul className={`stack gap-8 ${styles.list}`}>
                {part.list.map((item) => (
                  <li key={item}>{item}</li>
                ))}
              </ul>
            </div>
          ))}
        </section>
      ))}
      <p className="note line-above">{guide.note}</p>
    </>
  );
}
