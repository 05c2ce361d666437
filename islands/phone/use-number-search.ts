import { useRef, useState } from 'react';
import type { IslandText } from '../../locales/index.ts';
import { type Area, findArea } from '../maps/find-area.ts';
import { pageData } from '../runtime/hydration/page-data.ts';
import { showStoredState } from '../runtime/hydration/show-stored-state.ts';
import { useOnHydrate } from '../runtime/hydration/use-on-hydrate.ts';
import { navigate } from '../runtime/navigation/navigate.ts';
import { $map, rejectPhone } from '../stores/map.ts';
import { leaveNumber } from './leave-number.ts';
import { lookUp } from './lookup.ts';
import { stepsOf } from './number-facts.tsx';

export type SearchState = 'asleep' | 'working' | 'found' | 'asking' | 'failed';

const wait = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** Between the ticks of facts that are known: together less than 600 ms. */
const tickMs = 120;

/** Updates the page's heading and picture. The heading reserves space for its longest text. */
function updatePage(title: string, { checked }: { checked: boolean }): void {
  document.querySelector('main')?.toggleAttribute('data-checked', checked);
  const words = document.querySelector('main h1[data-later] > span');
  if (words) words.textContent = title;
}

/** Looks the number up, and lets the steps show it one by one. */
export function useNumberSearch(text: IslandText['search-progress'], map: boolean) {
  const [state, setState] = useState<SearchState>('asleep');
  const [done, setDone] = useState(0);
  const [area, setArea] = useState<Area | null>(null);
  const hasLeft = useRef(false);
  const steps = stepsOf($map.get().numberData, text);

  const search = async () => {
    setState('working');
    setDone(0);
    setArea(null);
    updatePage(text.label, { checked: false });
    showStoredState(document);
    // Steps show the response, so none finishes before it.
    const verdict = await lookUp();
    if (hasLeft.current) return;
    if (verdict === 'incorrect') {
      rejectPhone(text.incorrect);
      navigate(pageData().number);
      return;
    }
    showStoredState(document);
    if (verdict === 'failed') return setState(verdict);
    if (verdict === 'ask') {
      const { other_readings } = $map.get().numberData ?? {};
      updatePage(other_readings ? text.question : text.no_sms, { checked: false });
      return setState('asking');
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

  return {
    state,
    done,
    area,
    steps,
    search,
    leave: () => {
      hasLeft.current = true;
      leaveNumber();
    },
  };
}
