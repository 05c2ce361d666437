import type { Client } from 'braintree-web';
import type { Express, ExpressOptions } from '../payment-provider.ts';
import { applePay } from './apple-pay.ts';
import { googlePay } from './google-pay.ts';
import { braintreeModule } from './load-modules.ts';
import { payPal } from './paypal.ts';
import type { CardNonce } from './three-d-secure.ts';
import { type Button, buttonHeight, type Wallet, type WalletContext } from './wallet-context.ts';

const timeoutMs = 5000;

function deviceDataOf(client: Client, vendors: string): Promise<string | undefined> {
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

/** One row with reserved height, so nothing moves when the buttons appear. */
function rowIn(box: HTMLElement, buttons: Button[]): HTMLElement {
  const row = document.createElement('div');
  row.style.cssText = `display:grid;grid-auto-flow:column;grid-auto-columns:minmax(0,1fr);gap:8px;block-size:${buttonHeight}px`;
  for (const draw of buttons) {
    const cell = document.createElement('div');
    cell.style.cssText = 'min-inline-size:0;overflow:hidden';
    row.append(cell);
    void draw(cell);
  }
  box.append(row);
  return row;
}

export async function mountWallets(
  client: Client,
  vendors: string,
  box: HTMLElement,
  options: ExpressOptions,
  using: (card: CardNonce) => void,
): Promise<Express> {
  let { sum } = options;
  let device: Promise<string | undefined> | undefined;
  const contextOf = (wallet: string): WalletContext => ({
    client,
    vendors,
    buttonLabel: options.buttonLabel,
    google: options.google,
    sum: () => sum,
    async pay(agreed, make, onResult) {
      options.onStart(agreed);
      const card = await make().catch((error) => {
        console.error(error);
        onResult?.(false);
        options.onError('', agreed);
        return null;
      });
      if (!card) return false;
      using(card);
      return options.onPay(card.nonce, agreed, { wallet, deviceData: await device, onResult });
    },
    close: options.onClose,
    fail(error) {
      console.error(error);
      options.onError('');
    },
  });
  const withPayPal = options.paypal && !options.single;
  const offered: [name: string, wallet: Wallet][] = [
    ['Apple Pay', applePay],
    ['Google Pay', googlePay],
    ...(withPayPal ? [['PayPal', payPal] satisfies [string, Wallet]] : []),
  ];
  // Most browsers have only some of the wallets.
  const tries = offered.map(async ([name, wallet]) => {
    const button = await wallet(contextOf(name)).catch(() => null);
    return button && { name, button };
  });
  const made = (await Promise.all(tries)).filter((wallet) => wallet !== null);
  const shown = made.slice(0, options.single ? 1 : undefined);
  const buttons = shown.map(({ button }) => button);
  if (buttons.length > 0) device = deviceDataOf(client, vendors);
  const row = buttons.length > 0 ? rowIn(box, buttons) : null;
  return {
    names: shown.map(({ name }) => name),
    update(next) {
      sum = next;
    },
    unmount: () => row?.remove(),
  };
}
