import { type FormEvent, useRef, useState } from 'react';
import type { IslandText } from '../locales/index.ts';
import { AreaMap } from './maps/area-map.tsx';
import { type Area, findArea } from './maps/find-area.ts';
import { chooseLink, setPhone } from './phone/entered-phone.ts';
import { leaveNumber } from './phone/leave-number.ts';
import { lookUp } from './phone/lookup.ts';
import { LookupSteps } from './phone/lookup-steps.tsx';
import { factsOf, NumberFacts, stepsOf } from './phone/number-facts.tsx';
import { pageData } from './runtime/hydration/page-data.ts';
import { showStoredState } from './runtime/hydration/show-stored-state.ts';
import { useOnHydrate } from './runtime/hydration/use-on-hydrate.ts';
import { navigate } from './runtime/navigation/navigate.ts';
import styles from './search-progress.module.css';
import { setError } from './stores/error.ts';
import { $map, rejectPhone } from './stores/map.ts';
import { CircleProgress } from './ui/circle-progress.tsx';
import { ContinueButton } from './ui/continue-button.tsx';
import { SecondaryButton } from './ui/secondary-button.tsx';

type Words = IslandText['search-progress'];
type State = 'asleep' | 'working' | 'found' | 'asking' | 'failed';

const wait = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** Between the ticks of facts that are known: together less than 600 ms. */
const tickMs = 120;

/** Updates the page's heading and picture. The heading reserves space for both texts. */
function updatePage(title: string, { checked }: { checked: boolean }): void {
  document.querySelector('main')?.toggleAttribute('data-checked', checked);
  const words = document.querySelector<HTMLElement>('main h1[data-later] > span');
  if (!words?.parentElement || words.textContent === title) return;
  words.parentElement.dataset.later = words.textContent ?? '';
  words.textContent = title;
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
  const [state, setState] = useState<State>('asleep');
  const [done, setDone] = useState(0);
  const [area, setArea] = useState<Area | null>(null);
  const hasLeft = useRef(false);
  const { numberData, initCoords, byLink } = $map.get();
  const steps = stepsOf(numberData, text);

  const search = async () => {
    setState('working');
    setDone(0);
    setArea(null);
    updatePage(text.label, { checked: false });
    // Steps show the response, so none finishes before it.
    const verdict = await lookUp();
    if (hasLeft.current) return;
    if (verdict === 'incorrect') {
      setError(text.incorrect);
      rejectPhone(text.incorrect);
      navigate(pageData().first);
      return;
    }
    showStoredState(document);
    if (verdict === 'failed') {
      setError(text.failed);
      setState(verdict);
      return;
    }
    if (verdict === 'ask') {
      updatePage(text.done, { checked: false });
      setState('asking');
      return;
    }
    const { numberData } = $map.get();
    if (map && numberData) findArea(numberData).then(setArea);
    for (let step = 1; step < steps.length; step += 1) {
      setDone(step);
      await wait(tickMs);
      if (hasLeft.current) return;
    }
    setDone(steps.length);
    setState(verdict);
    updatePage(text.ready, { checked: true });
  };

  useOnHydrate(() => {
    // Without a number the page shows a link to the step that requests it.
    if ($map.get().phone) search();
  });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (state === 'asking') navigate(pageData().first);
    else if (state === 'failed') search();
    else {
      hasLeft.current = true;
      leaveNumber();
    }
  };

  const choose = (number: string) => {
    setPhone(number, '');
    search();
  };
  const sendLink = () => {
    chooseLink();
    search();
  };
  const others = numberData?.other_readings;
  const readings = numberData && others ? [numberData, ...others] : [];

  // A step that has begun counts for some of its share, so the ring does not start empty.
  const percent = Math.min(100, (100 * (done + 0.4)) / steps.length);
  const labels: Partial<Record<State, string>> = { failed: text.retry, asking: text.other };
  const known = state === 'found' ? area : null;
  const drawn = map && (
    <AreaMap
      drawing={known?.drawing ?? null}
      point={known?.local ? initCoords : null}
      placeName={(known?.local && numberData?.city) || numberData?.country_name || ''}
      caption={known?.failed ? text.geocoding : text.area}
      credit={text.credit}
      busy={state === 'asleep' || state === 'working'}
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
        {state === 'asking' && (
          <p className="strong" role="alert">
            {readings.length > 0 ? text.which : numberData?.sms_refusal?.message}
          </p>
        )}
        {state === 'asking' &&
          readings.map(({ number, country_name }) => (
            <SecondaryButton
              key={number}
              id={`reading-${number.replace(/\D/g, '')}`}
              label={`\u2066${number}\u2069 ${country_name ?? ''}`}
              type="button"
              onClick={() => choose(number)}
            />
          ))}
        {state === 'asking' && readings.length === 0 && (
          <SecondaryButton id="send-link" label={text.link} type="button" onClick={sendLink} />
        )}
        {state === 'found' && numberData && (
          <>
            <span className="visually-hidden">{text.done}</span>
            {byLink && <p className="strong">{text.by_link}</p>}
            <NumberFacts
              facts={factsOf(numberData, text, document.documentElement.lang)}
              unknown={text.unknown}
            />
          </>
        )}
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
