import { env } from 'cloudflare:test';
import { expect, vi } from 'vitest';
import type { Purchase } from '../../../../worker/payments/attempts/purchase-request.ts';
import type { GatewayName } from '../../../../worker/payments/purchase/state.ts';
import { approved } from '../../../fakes/test-nonces.ts';
import { seeded } from '../../../seeded-random.ts';
import { shortenTimers } from '../../faults/faulty-binding.ts';
import { shownTerms } from '../attempts/attempt-fixture.ts';
import {
  type AwaitHook,
  type Crash,
  crashAt,
  type DrivenObject,
  driveObject,
} from '../attempts/driven-object.ts';
import { buyer, forgetIntros, scaled, stubGateways } from '../payments-fixture.ts';

export const start = Date.UTC(2027, 0, 15, 12);
export type Fakes = ReturnType<typeof stubGateways>;

/** Faults of calls and crashes of the object during a plan change. */
export interface ChangeFaults {
  crash?: Crash;
  faults?: { rate: number; random: () => number };
}

interface ScenarioContext {
  driven: DrivenObject;
  purchase: Purchase;
  fakes: Fakes;
  /** Applies the faults during `change`. */
  applyFaults: <T>(change: () => Promise<T>) => Promise<T>;
}

/** Runs with a new account. */
export async function runChange<T>(
  gateway: GatewayName,
  more: Partial<Purchase>,
  { crash, faults }: ChangeFaults,
  scenario: (scene: ScenarioContext) => Promise<T>,
): Promise<T> {
  // A crashed object's pending awaits never resolve, so it never continues.
  const timers = crash ? (['setTimeout', 'clearTimeout'] as const) : [];
  vi.useFakeTimers({ toFake: ['Date', ...timers], now: start });
  if (!crash) shortenTimers(1000);
  let isChanging = false;
  const gate: AwaitHook = (act) => (isChanging && crash ? crash.gate(act) : act());
  const random = () => (isChanging ? (faults?.random() ?? 1) : 1);
  const fakes = stubGateways({
    wrap: (next) => (input, init) => gate(() => next(input, init)),
    ...(faults && { faults: { rate: faults.rate, random } }),
  });
  await forgetIntros();
  const { stub, purchase } = buyer({
    gateway,
    nonce: approved[gateway],
    terms: shownTerms(),
    ...more,
  });
  const applyFaults: ScenarioContext['applyFaults'] = async (change) => {
    isChanging = true;
    const made = await change();
    isChanging = false;
    await driven?.runDueAlarms();
    return made;
  };
  let driven: DrivenObject | undefined;
  return driveObject(
    stub,
    (started) => {
      driven = started;
      crash?.watch(started);
      return scenario({ driven: started, purchase, fakes, applyFaults });
    },
    gate,
  );
}

/** Subscriptions that are not cancelled. */
export const liveSubscriptions = ({ stripe, braintree }: Fakes) =>
  [stripe.state.subscriptions, braintree.state.subscriptions]
    .flatMap((table) => Object.values(table) as { status: string }[])
    .filter(({ status }) => !/cancell?ed/i.test(status));

/** Crashes at each await of the change in turn; outside the full run at every third. */
export async function crashAtAnyAwait(scenario: (faults: ChangeFaults) => Promise<unknown>) {
  const withoutCrash = crashAt([], true);
  await scenario({ crash: withoutCrash });
  for (let at = 1; at <= withoutCrash.awaits(); at += env.FULL ? 1 : 3) {
    const crash = crashAt([at], at % 2 === 0);
    await scenario({ crash });
    expect(crash.crashes()).toBe(1);
  }
}

/** Loses four of ten replies. */
export async function loseReplies(
  runs: number,
  seed: number,
  scenario: (faults: ChangeFaults) => Promise<unknown>,
) {
  for (let run = 0; run < scaled(runs); run += 1)
    await scenario({ faults: { rate: 0.4, random: seeded(seed + run) } });
}
