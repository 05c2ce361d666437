import type { FormEvent } from 'react';
import type { IslandText } from '../locales/index.ts';
import { AreaMap } from './maps/area-map.tsx';
import { LookupSteps } from './phone/lookup-steps.tsx';
import { NumberFacts, numberFactsOf } from './phone/number-facts.tsx';
import { NumberQuestion } from './phone/number-question.tsx';
import { type SearchState, useNumberSearch } from './phone/use-number-search.ts';
import { pageData } from './runtime/hydration/page-data.ts';
import { navigate } from './runtime/navigation/navigate.ts';
import styles from './search-progress.module.css';
import { $map } from './stores/map.ts';
import { CircleProgress } from './ui/circle-progress.tsx';
import { ContinueButton } from './ui/continue-button.tsx';

type Words = IslandText['search-progress'];

function FoundNumber({ text }: { text: Words }) {
  const { numberData, byLink } = $map.get();
  if (!numberData) return null;
  const facts = numberFactsOf(numberData, text, document.documentElement.lang);
  return (
    <>
      <span className="visually-hidden">{text.done}</span>
      {byLink && <p className="strong">{text.by_link}</p>}
      <NumberFacts facts={byLink ? facts.slice(0, 2) : facts} />
    </>
  );
}

interface Props {
  text: Words;
  action: string;
  /** `line`: joined steps; `ring`: a large ring; `small`: a small ring. */
  meter?: 'line' | 'ring' | 'small';
  /** Whether a map shows the number's area. */
  map?: boolean;
}

/** Looks the number up while the steps run, then shows the result. */
export default function SearchProgress({ text, action, meter = 'line', map = true }: Props) {
  const { state, done, area, steps, search, leave } = useNumberSearch(text, map);
  const { numberData, initCoords } = $map.get();

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (state === 'asking') navigate(pageData().number);
    else if (state === 'failed') search();
    else leave();
  };

  // A step that has begun counts for some of its share, so the ring does not start empty.
  const percent = Math.min(100, (100 * (done + 0.4)) / steps.length);
  const labels: Partial<Record<SearchState, string>> = { failed: text.retry, asking: text.other };
  const known = state === 'found' ? area : null;
  // Without an area it keeps the place.
  const drawn = map && (
    <AreaMap
      drawing={known?.drawing}
      point={known?.local ? initCoords : null}
      placeName={(known?.local && numberData?.city) || numberData?.country_name || ''}
      caption={known?.failed ? text.geocoding : text.area}
      credit={text.credit}
    />
  );
  return (
    <form
      className={`stack gap-24 ${styles.search}`}
      data-state={state}
      method="post"
      action={action}
      onSubmit={submit}
    >
      {meter === 'ring' && (
        <div className={styles.ring}>
          {known?.drawing ? drawn : <CircleProgress percent={percent} label={text.label} />}
        </div>
      )}
      <div
        className={`stack gap-8 top ${styles.stage} ${meter === 'small' ? styles.tall : ''}`}
        aria-live="polite"
      >
        {state === 'failed' && <p className="danger">{text.failed}</p>}
        {state === 'asking' && <NumberQuestion text={text} onAnswer={search} />}
        {state === 'found' && <FoundNumber text={text} />}
        {(state === 'asleep' || state === 'working') && (
          <LookupSteps
            label={text.label}
            steps={steps}
            done={done}
            meter={meter === 'ring' ? 'none' : meter}
          />
        )}
      </div>
      <ContinueButton label={labels[state] ?? text.continue} />
      {meter !== 'ring' && drawn}
    </form>
  );
}
