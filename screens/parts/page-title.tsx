import { createContext, type ReactNode, useContext } from 'react';
import { ByAnswer } from './by-answer.tsx';
import styles from './page-title.module.css';

type Props = {
  title: string;
  /** A title that an island sets later; space is reserved for both. */
  later?: string;
  lead?: string | undefined;
  /** The lead that belongs to `later`. */
  laterLead?: string;
  /** Other titles by the visitor's answer. */
  byAnswer?: Readonly<Record<string, string>> | undefined;
  /** The title with `{{name}}`, where the visitor gave the other person's name. */
  named?: string | undefined;
  /** The title where no number is known, which number-located.module.css detects. */
  withoutNumber?: string;
  /** A mark beside it. */
  mark?: ReactNode;
  /** Whether desktops show it in the largest size, if it fits there in two lines. */
  large?: boolean;
  children?: ReactNode;
};

/** The id of the progress element, which describes the heading; undefined outside a flow. */
export const StepId = createContext<string | undefined>(undefined);

/** Maximum length, in Latin letter widths, of a title with two lines in the largest size. */
const maxLargeWidth = 23;
const wideCharacters = /[\u3000-\u30ff\u4e00-\u9fff\uac00-\ud7af\uff00-\uff60]/g;
const widthOf = (title: string) => title.length + (title.match(wideCharacters)?.length ?? 0);

/** A last sentence up to this width stays in one piece: it goes to the next line as a whole. */
const sentenceWidth = 32;
/** This width on screens that no phone shows: one line of their smallest column. */
const columnWidth = 38;
const sentences = /^(.+[.。] ?)([^.。]+[.。])$/u;

type LeadProps = {
  text: string;
  upTo?: number;
  /** Draws the links in it. */
  say?: (text: string) => ReactNode;
};

export function Lead({ text, upTo = sentenceWidth, say = (words) => words }: LeadProps) {
  const [, before, last = ''] = text.match(sentences) ?? [];
  const width = widthOf(last);
  if (!before || width > upTo) return say(text);
  return (
    <>
      {say(before)}
      <span className={width > sentenceWidth ? `${styles.last} ${styles.long}` : styles.last}>
        {say(last)}
      </span>
    </>
  );
}

/** The screen's only heading, focused after navigation. */
export function PageTitle(props: Props) {
  const { title, later, lead, laterLead, byAnswer, named, withoutNumber, mark } = props;
  const titles = [title, ...Object.values(byAnswer ?? {}), named ?? ''];
  const longest = Math.max(...titles.map(widthOf));
  const shared = { tabIndex: -1, 'aria-describedby': useContext(StepId) };
  const size = props.large && longest <= maxLargeWidth ? '' : ` ${styles.smaller}`;
  const shown =
    byAnswer || named ? (
      <ByAnswer when={byAnswer} named={named}>
        {title}
      </ByAnswer>
    ) : (
      title
    );
  return (
    <div className={`stack gap-12${size}`}>
      {mark && (
        <div className="beside gap-12">
          {mark}
          <h1 {...shared}>{title}</h1>
        </div>
      )}
      {later && (
        <h1 {...shared} className={`stack ${styles.both}`} data-later={later}>
          <span>{title}</span>
        </h1>
      )}
      {!mark && !later && (
        <h1 {...shared}>
          {withoutNumber ? <span data-known="">{shown}</span> : shown}
          {withoutNumber && (
            <span className={styles.unknown} data-unknown="">
              {withoutNumber}
            </span>
          )}
        </h1>
      )}
      {lead && laterLead && (
        <p className={`lead stack ${styles.both}`}>
          <span className={styles.now}>
            <Lead text={lead} />
          </span>
          <span className={styles.later}>
            <Lead text={laterLead} upTo={columnWidth} />
          </span>
        </p>
      )}
      {lead && !laterLead && (
        <p className="lead">
          <Lead text={lead} />
        </p>
      )}
      {props.children}
    </div>
  );
}
