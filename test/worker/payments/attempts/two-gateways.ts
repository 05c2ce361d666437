import {
  admitPage,
  admitsCharge,
  afterCall,
  afterProbe,
  type Circuit,
  closedCircuit,
  type GatewayCall,
} from '../../../../worker/monitoring/rules/circuit.ts';
import type { Purchase } from '../../../../worker/payments/attempts/purchase-request.ts';
import { isFinal } from '../../../../worker/payments/purchase/attempt.ts';
import type { GatewayName } from '../../../../worker/payments/purchase/state.ts';
import type { AttemptAnswer } from '../../../../worker/payments/storage/stored-records.ts';
import type { Env } from '../../../../worker/platform/env.ts';
import { approved } from '../../../fakes/test-nonces.ts';
import type { DrivenObject } from './driven-object.ts';

export const otherGateway = (gateway: GatewayName): GatewayName =>
  gateway === 'stripe' ? 'braintree' : 'stripe';

export const gatewayOfHost = (request: Request): GatewayName =>
  new URL(request.url).hostname.endsWith('stripe.com') ? 'stripe' : 'braintree';

/** The circuits of both gateways by the rules alone, probed once a second of the tests' clock. */
export function circuits(isUp: (gateway: GatewayName) => boolean) {
  const all = new Map<string, Circuit>();
  const probedAt = new Map<string, number>();
  const circuitOf = (name: GatewayName): Circuit => {
    const circuit = all.get(name) ?? closedCircuit;
    const since = probedAt.get(name) ?? (circuit.kind === 'open' ? circuit.openedAt : 0);
    if (circuit.kind !== 'open' || Date.now() - since < 1000) return circuit;
    probedAt.set(name, Date.now());
    const probed = afterProbe(circuit, isUp(name), Date.now());
    all.set(name, probed);
    return probed;
  };
  const of = (name: GatewayName) => ({
    async record(_gateway: GatewayName, call: GatewayCall) {
      const circuit = afterCall(circuitOf(name), call);
      all.set(name, circuit);
      return admitsCharge(circuit);
    },
    admitsCharge: async () => admitsCharge(circuitOf(name)),
    async admitsPage() {
      const { isAdmitted, circuit } = admitPage(circuitOf(name), crypto.randomUUID(), Date.now());
      all.set(name, circuit);
      return isAdmitted;
    },
  });
  return {
    circuitOf,
    binding: {
      GATEWAY_CIRCUITS: { getByName: of },
      MONITOR: { getByName: () => ({ count: async () => {} }) },
    } as unknown as Partial<Env>,
    /** The gateway shown by a page: the first one that takes payments. */
    async first(preferred: GatewayName): Promise<GatewayName> {
      const other = otherGateway(preferred);
      if (await of(preferred).admitsPage()) return preferred;
      return (await of(other).admitsPage()) ? other : preferred;
    },
  };
}

/** Runs alarms until the attempt is final, or needs the payer. */
export async function advance(driven: DrivenObject, pollingId: string): Promise<AttemptAnswer> {
  for (let runs = 0; ; runs += 1) {
    const attempt = driven.attempt(pollingId);
    const waits = attempt.state === 'rerouted' || attempt.state === 'challenged';
    const at = driven.alarm();
    if (waits || isFinal(attempt.state) || at === null) return attempt;
    if (runs > 500) throw new Error(`stuck as ${attempt.state}`);
    await driven.passTime(Math.max(0, at - Date.now()));
  }
}

interface FailoverOptions {
  gateway: GatewayName;
  nonceOf?: (gateway: GatewayName) => string | Promise<string>;
  /** The time for typing a card again. */
  typingMs?: number;
}

/** A buyer who enters the card again whenever the page asks for it. @returns the final attempt */
export async function buyWithFailover(
  driven: DrivenObject,
  purchase: Purchase,
  { gateway, nonceOf = (name) => approved[name], typingMs = 20_000 }: FailoverOptions,
): Promise<AttemptAnswer> {
  const at = async (name: GatewayName) => ({
    ...purchase,
    gateway: name,
    others: [otherGateway(name)],
    nonce: await nonceOf(name),
  });
  const pollingId = await driven.startPurchase(await at(gateway));
  for (;;) {
    const attempt = await advance(driven, pollingId);
    if (attempt.state !== 'rerouted') return attempt;
    await driven.passTime(typingMs);
    if (driven.attempt(pollingId).state !== 'rerouted') continue;
    const again = await at(attempt.gateway);
    await driven.run((object) => object.buy(again));
  }
}
