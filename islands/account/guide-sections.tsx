import type { GuideText } from '../../locales/index.ts';
import styles from './guide-sections.module.css';

/** The guide's text with its table of contents. */
export function GuideSections({ guide, contents }: { guide: GuideText; contents: string }) {
  return (
    <>
      <p className={styles.lead}>{guide.lead}</p>
      <nav className={styles.contents} aria-labelledby="contents">
        <p id="contents">{contents}</p>
        <ol>
          {guide.sections.map(({ title }, at) => (
            <li key={title}>
              <a href={`#part-${at + 1}`}>{title}</a>
            </li>
          ))}
        </ol>
      </nav>
      {guide.sections.map(({ title, intro, parts }, at) => (
        <section key={title} className={styles.section} id={`part-${at + 1}`}>
          <h2>{title}</h2>
          <p className={styles.intro}>{intro}</p>
          {parts.map((part) => (
            <div key={part.title} className={styles.part}>
              <h3>{part.title}</h3>
              <ul className={styles.list}>
                {part.list.map((item) => (
                  <li key={item}>{item}</li>
                ))}
              </ul>
            </div>
          ))}
        </section>
      ))}
      <p className={styles.note}>{guide.note}</p>
    </>
  );
}
