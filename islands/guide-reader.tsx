import { useState } from 'react';
import { interpolate } from '../locales/format/interpolate.ts';
import type { GuideText, IslandText } from '../locales/index.ts';
import { RequestSignInLink } from './account/request-sign-in-link.tsx';
import styles from './guide-reader.module.css';
import { call, errorCode } from './runtime/api.ts';
import { useOnHydrate } from './runtime/hydration/use-on-hydrate.ts';
import { sessionToken } from './stores/signup.ts';
import { ContinueButton } from './ui/continue-button.tsx';
import { LineIcon } from './ui/line-icon.tsx';
import { LoadingScreen } from './ui/loading-screen.tsx';

/** `missing`: the account did not buy the guide; `signed_out`: no session; `failed`: no response. */
export type NoGuide = 'missing' | 'signed_out' | 'failed';

export async function loadGuide(): Promise<
  { kind: 'guide'; guide: GuideText } | { kind: NoGuide }
> {
  const token = sessionToken();
  if (!token) return { kind: 'signed_out' };
  try {
    const { data } = await call<{ data: GuideText }>('/users/me/guide', { bearer: token });
    return { kind: 'guide', guide: data };
  } catch (error) {
    const code = errorCode(error);
    if (code === 'unauthorized') return { kind: 'signed_out' };
    return { kind: code === 'guide_not_owned' ? 'missing' : 'failed' };
  }
}

/** “Whom to call, in this order” and “Where we meet”: their entries follow one another. */
const isSequence = (section: number, part: number) => section === 3 && (part === 1 || part === 3);

function GuideList({ items, isOrdered }: { items: readonly string[]; isOrdered: boolean }) {
  const List = isOrdered ? 'ol' : 'ul';
  return (
    <List className={`stack gap-8 ${styles.list}`}>
      {items.map((item) => (
        <li key={item}>{item}</li>
      ))}
    </List>
  );
}

/** The part of the city above each section. */
const views = [
  '150 250 343 96',
  '-60 60 343 96',
  '330 120 343 96',
  '300 600 343 96',
  '-120 320 343 96',
];

interface SectionsProps {
  guide: GuideText;
  /** The drawing of each section. */
  signs: readonly string[];
  text: IslandText['guide-reader'];
}

export function GuideSections({ guide, signs, text }: SectionsProps) {
  return (
    <>
      <p className={`lead ${styles.intro}`}>{guide.lead}</p>
      <nav className={`notice stack not-printed ${styles.contents}`} aria-labelledby="contents">
        <div className="row spread wrap gap-8">
          <h2 className="title-small" id="contents">
            {text.contents}
          </h2>
          <button className="text-button small" type="button" onClick={() => window.print()}>
            {text.print}
          </button>
        </div>
        <ol className="stack">
          {guide.sections.map(({ title }, at) => (
            <li key={title}>
              <a className="row gap-12 chevron" href={`#part-${at + 1}`}>
                <LineIcon path={signs[at] ?? ''} />
                <span className="grow">{title}</span>
              </a>
            </li>
          ))}
        </ol>
      </nav>
      {guide.sections.map(({ title, intro, parts }, at) => (
        <section key={title} className={`stack gap-24 ${styles.section}`} id={`part-${at + 1}`}>
          <div className="stack gap-12">
            <div className={styles.banner}>
              <svg viewBox={views[at]} preserveAspectRatio="xMidYMid slice" aria-hidden="true">
                <use href="#city" />
              </svg>
              <span className="tile">
                <LineIcon path={signs[at] ?? ''} size={24} />
              </span>
            </div>
            <h2>{title}</h2>
            <p className="lead">{intro}</p>
          </div>
          {parts.map(({ title: name, list }, index) => {
            const isOrdered = isSequence(at, index);
            return (
              <div
                key={name}
                className={`stack gap-12 ${styles.part} ${isOrdered ? 'notice' : ''}`}
              >
                <h3>{name}</h3>
                <GuideList items={list} isOrdered={isOrdered} />
              </div>
            );
          })}
        </section>
      ))}
      <p className="note line-above">{guide.note}</p>
    </>
  );
}

/** The guide's sales page; without a main plan it says that the plan comes first. */
const offer = '/upsell_guide';

interface Props extends Pick<SectionsProps, 'text' | 'signs'> {
  /** Below the form that asks for the e-mail. */
  hint: string;
  price: string;
  /** What it is for. */
  benefit: string;
  /** That the price is paid once. */
  once: string;
  /** What the sections are about. */
  topics: readonly string[];
}

function NotBought({ text, signs, benefit, price, once, topics }: Omit<Props, 'hint'>) {
  return (
    <>
      <div className={`notice stack gap-20 ${styles.missing}`} data-missing="">
        <p className="strong">{benefit}</p>
        <ul className="stack gap-12">
          {topics.map((topic, at) => (
            <li key={topic} className="row gap-12">
              <LineIcon path={signs[at] ?? ''} />
              {topic}
            </li>
          ))}
        </ul>
        <a className="link-filled" href={offer} data-navigate="">
          {interpolate(text.buy, { price })}
        </a>
        <p className="note center">{`${once} · ${text.missing}`}</p>
      </div>
      <a className={`tap ${styles.back}`} href="/success" data-navigate="">
        {text.back}
      </a>
    </>
  );
}

function SignIn({ text, hint }: Pick<Props, 'text' | 'hint'>) {
  return (
    <div className={`stack gap-16 ${styles.signedOut}`}>
      <RequestSignInLink text={text} lead={text.signed_out} hint={hint} />
      <p className={`note ${styles.how}`}>
        {text.how}{' '}
        <a href={offer} data-navigate="">
          {text.get}
        </a>
      </p>
    </div>
  );
}

export default function GuideReader(props: Props) {
  const { text, hint, signs } = props;
  const [guide, setGuide] = useState<GuideText | null>(null);
  const [state, setState] = useState<'waiting' | NoGuide>('waiting');
  const load = async () => {
    setState('waiting');
    const loaded = await loadGuide();
    if (loaded.kind === 'guide') setGuide(loaded.guide);
    else setState(loaded.kind);
  };
  useOnHydrate(() => {
    load();
  });
  if (guide) {
    return (
      <article className="stack gap-32">
        <GuideSections guide={guide} signs={signs} text={text} />
        <div className={`stack gap-8 not-printed ${styles.actions}`}>
          <ContinueButton label={text.print} type="button" onClick={() => window.print()} />
          <a className="tap" href="/success" data-navigate="">
            {text.back}
          </a>
        </div>
      </article>
    );
  }
  return (
    <div className="stack gap-16">
      {state === 'waiting' && <LoadingScreen message={text.waiting} />}
      {state === 'missing' && <NotBought {...props} />}
      {state === 'signed_out' && <SignIn text={text} hint={hint} />}
      {state === 'failed' && (
        <>
          <p role="alert">{text.failed}</p>
          <ContinueButton label={text.retry} type="button" onClick={load} />
        </>
      )}
    </div>
  );
}
