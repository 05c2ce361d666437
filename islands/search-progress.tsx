import { type FormEvent, useRef, useState } from 'react';
import type { IslandText } from '../locales/index.ts';
import { AreaMap } from './maps/area-map.tsx';
import { type Area, findArea } from './maps/find-area.ts';
import { LookupSteps } from './phone/lookup-steps.tsx';
import { factsOf, NumberFacts, stepsOf } from './phone/number-facts.tsx';
import { call, errorCode } from './runtime/api.ts';
import { pageData } from './runtime/hydration/page-data.ts';
import { showStoredState } from './runtime/hydration/show-stored-state.ts';
import { useOnHydrate } from './runtime/hydration/use-on-hydrate.ts';
import { navigate } from './runtime/navigation/navigate.ts';
import styles from './search-progress.module.css';
import { setError } from './stores/error.ts';
import { $map, type NumberData, rejectPhone, setNumberData } from './stores/map.ts';
import { CircleProgress } from './ui/circle-progress.tsx';
import { ContinueButton } from './ui/continue-button.tsx';

export type Found = 'found' | 'incorrect' | 'failed';

/** `incorrect`: the number is wrong; `failed`: the lookup could not tell. */
export function verdictOf(error: unknown): Found {
  if (error instanceof Error || errorCode(error) === 'phone_lookup_failed') return 'failed';
  return 'incorrect';
}

export async function lookUpNumber(): Promise<Found> {
  const { phone, country } = $map.get();
  try {
    const body = { phone, country: country || undefined };
    const { data } = await call<{ data: NumberData }>('/phone-number-info', { body });
    setNumberData(data);
    return 'found';
  } catch (error) {
    return verdictOf(error);
  }
}

type Words = IslandText['search-progress'];
type State = 'asleep' | 'working' | 'found' | 'failed' | 'missing';

const wait = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

const beat = 650;

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
  /** `line`: a bar; `ring`: a large ring; `small`: a small ring. */
  meter?: 'line' | 'ring' | 'small';
}

/** Looks the number up while the steps run, then shows the result. */
export default function SearchProgress({ text, action, meter = 'line' }: Props) {
  const [state, setState] = useState<State>('asleep');
  const [done, setDone] = useState(0);
  const [area, setArea] = useState<Area | null>(null);
  const continueWhenFound = useRef(false);
  const { numberData, initCoords } = $map.get();
  const steps = stepsOf(numberData, text);

  const search = async () => {
    setState('working');
    setDone(0);
    setArea(null);
    updatePage(text.label, { checked: false });
    // Steps show the response, so none finishes before it.
    const [verdict] = await Promise.all([lookUpNumber(), wait(beat)]);
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
    const { numberData } = $map.get();
    if (numberData) findArea(numberData).then(setArea);
    for (let step = 1; step < steps.length; step += 1) {
      setDone(step);
      await wait(beat);
    }
    setDone(steps.length);
    setState(verdict);
    updatePage(text.done, { checked: true });
    if (continueWhenFound.current) navigate();
  };

  useOnHydrate(() => {
    if ($map.get().phone) search();
    else setState('missing');
  });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    continueWhenFound.current = true;
    if (state === 'found') navigate();
    else if (state === 'failed') search();
    else if (state === 'missing') navigate(pageData().first);
  };

  const known = state === 'found' ? area : null;
  const map = (
    <AreaMap
      drawing={known?.drawing ?? null}
      point={known?.local ? initCoords : null}
      placeName={(known?.local && numberData?.city) || numberData?.country_name || ''}
      caption={known?.failed ? text.geocoding : text.area}
      credit={text.credit}
      busy={state === 'asleep' || state === 'working'}
    />
  );
  const label = { failed: text.retry, missing: text.enter } as const;
  return (
    <form
      className={`stack gap-24 ${styles.search}`}
      method="post"
      action={action}
      onSubmit={submit}
    >
      {meter === 'ring' && (
        <div className={styles.ring}>
          {known?.drawing ? (
            map
          ) : (
            <CircleProgress percent={(100 * done) / steps.length} label={text.label} />
          )}
        </div>
      )}
      <div className={`stack gap-8 top ${styles.stage}`} aria-live="polite">
        {state === 'missing' && <p>{text.missing}</p>}
        {state === 'failed' && <p className="danger">{text.failed}</p>}
        {state === 'found' && numberData && (
          <>
            <span className="visually-hidden">{text.done}</span>
            <NumberFacts
              number={numberData.number}
              facts={factsOf(numberData, text, document.documentElement.lang)}
              note={text.note}
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
      <ContinueButton
        label={label[state as keyof typeof label] ?? text.continue}
        pending={state === 'working'}
      />
      {meter !== 'ring' && map}
    </form>
  );
}
