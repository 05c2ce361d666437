import { type Configuration, type Offer, offerOf } from './config-documents.ts';
import type { Changes, Experiment } from './experiments-schema.ts';
import { flowFacts } from './flow-facts.ts';
import {
  builtInFlows,
  type Flow,
  isCheckout,
  isLanding,
  type ScreenId,
  screenIds,
} from './flows.ts';
import { shownOffer } from './shown-offer.ts';
import { defaultFlowName, defaultType } from './split.ts';
import { screensWith } from './text-screens.ts';

type Base = Pick<Configuration, 'variants' | 'flows' | 'offers' | 'catalog' | 'soldIn'>;

interface Split {
  arm: string;
  flow: Flow;
}

function splitsOf({ variants, flows }: Base): Split[] {
  const outside = { key: defaultType, flow: defaultFlowName };
  return [...variants, outside].map(({ key, flow }) => ({
    arm: key,
    flow: flows.get(flow) ?? builtInFlows.default,
  }));
}

function offerOn(screen: ScreenId, split: Split, offer: Offer, { catalog }: Pick<Base, 'catalog'>) {
  const shown = shownOffer(screen, { ...split, offer, configuration: { catalog } });
  if (screen === 'upsell_guide') return shown.guide;
  if (screen === 'upsell_an_private') return shown.upsell;
  const { plans, after, expires, preselect, best_value } = shown;
  return isLanding(screen) || isCheckout(screen)
    ? [plans, after, expires, preselect, best_value]
    : '';
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

function byOffer(key: string, base: Base): ScreenId[] {
  const places = [base, ...[...base.catalog.countries].map((country) => base.soldIn(country))];
  const pairs = places.flatMap((place) => {
    const sold = { ...base, ...place };
    const changed = sold.offers.get(key);
    if (!changed) return [];
    return splitsOf(base).map((split) => ({ split, sold, changed, own: offerOf(sold, split.arm) }));
  });
  return screenIds.filter((screen) =>
    pairs.some(
      ({ split, sold, changed, own }) =>
        !isSame(offerOn(screen, split, changed, sold), offerOn(screen, split, own, sold)),
    ),
  );
}

function byFlow(name: string, base: Base): ScreenId[] {
  const changed = base.flows.get(name) ?? [];
  return screenIds.filter((screen) =>
    splitsOf(base).some(({ flow }) => !isSame(flowFacts(changed, screen), flowFacts(flow, screen))),
  );
}

export const textKeys = ({ texts = {} }: Changes): string[] => [
  ...new Set(Object.values(texts).flatMap((own) => Object.keys(own))),
];

/** The screens whose HTML the changes of a variant may alter. */
export function screensOf(changes: Changes, base: Base): Set<string> {
  const { flow, offer, theme } = changes;
  return new Set<string>([
    ...(theme ? screenIds : []),
    ...(flow ? byFlow(flow, base) : []),
    ...(offer ? byOffer(offer, base) : []),
    ...textKeys(changes).flatMap(screensWith),
  ]);
}

/** The screens on which some variant differs from the control; all of them where none changes anything, as in an A/A test. */
export function changedScreens({ variants }: Experiment, base: Base): ReadonlySet<string> {
  const changed = new Set(variants.flatMap(({ changes }) => [...screensOf(changes, base)]));
  const isSameForAll = variants.every(({ changes }) => Object.keys(changes).length === 0);
  return isSameForAll ? new Set<string>(screenIds) : changed;
}
