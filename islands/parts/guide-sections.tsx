import type { GuideText } from '../../locales/index.ts';
import styles from './guide-sections.module.css';

/** The guide's text: what to read, part by part. */
export function GuideSections({ guide }: { guide: GuideText }) {
  return (
    <>
      <p className={styles.lead}>{guide.lead}</p>
      {guide.sections.map(({ title, intro, parts }) => (
        <section key={title} className={styles.section}>
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
