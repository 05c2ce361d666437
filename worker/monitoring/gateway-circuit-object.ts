import { DurableObject } from 'cloudflare:workers';
import type { GatewayName } from '../payments/purchase/state.ts';
import { asSynthetic, type Env } from '../platform/env.ts';
import { logger } from '../platform/log.ts';
import { reportToMonitor } from '../platform/log-counts.ts';
import { withTimeout } from '../platform/with-timeout.ts';
import {
  admitPage,
  admitsCharge,
  afterCall,
  afterProbe,
  type Circuit,
  closedCircuit,
  type GatewayCall,
  isSuspect,
} from './rules/circuit.ts';

const log = logger();

const probeEveryMs = 1_000;
const probeTimeoutMs = 2_500;

/** Decides whether one gateway gets payments. Only an open circuit is stored, so a new object is closed. */
export class GatewayCircuit extends DurableObject<Env> {
  #circuit = this.ctx.storage.kv.get<Circuit>('circuit') ?? closedCircuit;

  /** @returns whether the gateway gets payments now */
  async record(gateway: GatewayName, call: GatewayCall): Promise<boolean> {
    await this.#set(afterCall(this.#circuit, call), gateway);
    if (isSuspect(this.#circuit)) await this.#scheduleProbe();
    return admitsCharge(this.#circuit);
  }

  admitsCharge(): boolean {
    return admitsCharge(this.#circuit);
  }

  admitsPage(account: string): boolean {
    const { isAdmitted, circuit } = admitPage(this.#circuit, account, Date.now());
    this.#circuit = circuit;
    return isAdmitted;
  }

  /** Probes the provider for the synthetic visitor, until it answers. */
  override async alarm(): Promise<void> {
    const gateway = this.ctx.storage.kv.get<GatewayName>('gateway');
    const isNeeded = this.#circuit.kind === 'open' || isSuspect(this.#circuit);
    if (!gateway || !isNeeded) return;
    // Set before the work, so that a crash does not stop the alarms.
    await this.#scheduleProbe();
    const isAnswered = await this.#probe(gateway);
    if (isAnswered && isSuspect(this.#circuit)) await this.ctx.storage.deleteAlarm();
    await this.#set(afterProbe(this.#circuit, isAnswered, Date.now()), gateway);
  }

  async #scheduleProbe(): Promise<void> {
    await this.ctx.storage.setAlarm(Date.now() + probeEveryMs);
  }

  async #probe(gateway: GatewayName): Promise<boolean> {
    const probe = import('./synthetic-visitor.ts').then(({ askProvider: pingProvider }) =>
      pingProvider(gateway, asSynthetic(this.env)),
    );
    return withTimeout(probe, probeTimeoutMs).then(
      () => true,
      () => false,
    );
  }

  async #set(next: Circuit, vendor: GatewayName): Promise<void> {
    const { kind: before } = this.#circuit;
    this.#circuit = next;
    const { kv } = this.ctx.storage;
    if (isSuspect(next)) kv.put('gateway', vendor);
    if (next.kind === before) return;
    kv.put('gateway', vendor);
    if (next.kind === 'closed') kv.delete('circuit');
    else kv.put('circuit', next);
    log(next.kind === 'open' ? 'error' : 'info', 'circuit_changed', { vendor, state: next.kind });
    if (next.kind === 'open') await this.#scheduleProbe();
    else await this.ctx.storage.deleteAlarm();
    await reportToMonitor(this.env, true);
  }
}
