import { type Line, showSheet } from '../../browser/wallet-sheet.ts';
import { reachableUrl } from './script-origin.ts';

interface Cycle {
  startDate: string;
  pricingScheme: { price: string };
}

interface AgreementRequest {
  planMetadata?: { name: string; currencyIsoCode: string; billingCycles: Cycle[] };
}

interface Options {
  style?: { height?: number; borderRadius?: number };
  createBillingAgreement(): Promise<string>;
  onApprove(data: { billingToken: string }): Promise<unknown>;
  onCancel?(): void;
  onError?(error: unknown): void;
}

const script = document.currentScript;
const here = script instanceof HTMLScriptElement ? script.src : '';

const agreement = (token: string) =>
  reachableUrl(`https://www.paypal.com/fake/agreements/${encodeURIComponent(token)}`, here);

function linesOf({ planMetadata }: AgreementRequest): Line[] {
  if (!planMetadata) return [];
  const { name, currencyIsoCode, billingCycles } = planMetadata;
  return billingCycles.map(({ startDate, pricingScheme }, i) => ({
    label: i === 0 ? name : `From ${startDate.slice(0, 10)}`,
    price: `${pricingScheme.price} ${currencyIsoCode}`,
  }));
}

/** PayPal stores the payer's choice before it notifies the page. */
async function openAgreement({
  createBillingAgreement,
  onApprove,
  onCancel,
}: Options): Promise<unknown> {
  const billingToken = await createBillingAgreement();
  const requested: AgreementRequest = await (await fetch(agreement(billingToken))).json();
  const lines = linesOf(requested);
  const sheet = showSheet({ name: 'PayPal', lines, offers: ['approves', 'declines'] });
  const choice = await sheet.chosen;
  sheet.close();
  if (!choice) return onCancel?.();
  await fetch(agreement(billingToken), { method: 'POST', body: JSON.stringify({ choice }) });
  return onApprove({ billingToken });
}

const Buttons = (options: Options) => ({
  isEligible: () => true,
  async render(box: HTMLElement) {
    const { height = 45, borderRadius = 4 } = options.style ?? {};
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'PayPal';
    button.style.cssText = `inline-size:100%;block-size:${height}px;border:0;border-radius:${borderRadius}px;background:#ffc439;color:#111;font:italic 700 17px system-ui,sans-serif`;
    button.addEventListener('click', () => {
      openAgreement(options).catch((error) => options.onError?.(error));
    });
    box.append(button);
  },
});

Object.assign(window, { paypal: { FUNDING: { PAYPAL: 'paypal' }, Buttons } });
