import type { Client } from 'braintree-web';
import { braintreeModule } from './load-modules.ts';

/** A buyer waits no longer for it, in ms. */
const patience = 5000;

/**
 * What Braintree's collector noticed of the device, as text for the charge: it tells fraud by that.
 *
 * @returns undefined when it could not be had, which stops no payment
 */
export function deviceDataOf(client: Client, vendors: string): Promise<string | undefined> {
  const late = new Promise<undefined>((done) => setTimeout(done, patience, undefined));
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
