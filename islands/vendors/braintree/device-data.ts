import type { Client } from 'braintree-web';
import { braintreeModule } from './load-modules.ts';

/** Timeout of the collection. */
const timeoutMs = 5000;

/**
 * Collects device data for fraud checks, as text for the charge.
 *
 * @returns undefined on failure, which does not stop the payment
 */
export function deviceDataOf(client: Client, vendors: string): Promise<string | undefined> {
  const late = new Promise<undefined>((done) => setTimeout(done, timeoutMs, undefined));
  return Promise.race([collected(client, vendors), late]);
}

async function collected(client: Client, vendors: string): Promise<string | undefined> {
  try {
    const module = await braintreeModule('dataCollector', vendors);
    const { deviceData } = await module.create({ client });
    return deviceData;
  } catch {
    return undefined;
  }
}
