import type { Attribution } from '../../visitor/attribution.ts';
import type { Conversion } from '../rules/conversion.ts';

/** A purchase, with the origin of the pages where it happened. */
export type ReportedPurchase = Conversion & { site: string };

/** What became of it there; every one of these is the end of it. */
type ReportResult = 'taken' | 'refused' | 'unmatched';

/** A network that counts what its ads sold. */
export interface AdNetwork {
  name: string;
  /** What it can not match this buyer without. */
  requiredData(user: Attribution): { agent: boolean; address: boolean };
  /**
   * Tells it of a purchase; by the event's id it knows one again.
   *
   * @throws NetworkUnclear when it may have been taken or may be taken later: tell it again
   */
  reportPurchase(sold: ReportedPurchase): Promise<ReportResult>;
}

/** Nobody knows whether it was taken. The message quotes nothing of the purchase. */
export class NetworkAmbiguousError extends Error {
  override name = 'NetworkUnclear';
}

/** Ms that a network may take. */
const timeLimit = 10_000;

/** Posts JSON. @throws NetworkUnclear when there is no answer */
export async function postJson(
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  try {
    return await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeLimit),
    });
  } catch (error) {
    throw new NetworkAmbiguousError(error instanceof Error ? error.name : 'thrown');
  }
}
