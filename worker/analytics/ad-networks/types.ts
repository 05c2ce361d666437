import { reasonOf } from '../../platform/log.ts';
import type { Attribution } from '../../visitor/attribution.ts';
import type { Conversion } from '../rules/conversion.ts';

export type ReportedPurchase = Conversion & { site: string };

/** Final: none of these is retried. */
export type ReportResult = 'accepted' | 'refused' | 'unmatched';

export interface AdNetwork {
  name: string;
  requiredData(user: Attribution): { agent: boolean; address: boolean };
  /** Idempotent by the event's id. @throws NetworkAmbiguousError when it may have been accepted: retry */
  reportPurchase(sold: ReportedPurchase): Promise<ReportResult>;
}

/** The result is unknown. The message contains nothing about the purchase. */
export class NetworkAmbiguousError extends Error {
  override name = 'NetworkUnclear';
}

const timeoutMs = 10_000;

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
      signal: AbortSignal.timeout(timeoutMs),
    });
  } catch (error) {
    throw new NetworkAmbiguousError(reasonOf(error));
  }
}

/** Drains the response; false for an HTML page from a proxy, and for a response that breaks off. */
export async function isPlainResponse(response: Response): Promise<boolean> {
  const text = await response.text().catch(() => null);
  return text !== null && !text.trimStart().startsWith('<');
}
