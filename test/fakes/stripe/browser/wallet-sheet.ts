import { type FromSheet, type SheetSetup, walletNames } from './express-messages.ts';
import type { Place } from './place.ts';

/** Shows the sheet of a wallet over everything; resolves once the customer pays or leaves. */
export function showSheet({ js }: Place, setup: SheetSetup): Promise<FromSheet> {
  const frame = document.createElement('iframe');
  const before = document.activeElement;
  frame.name = '__stripeWalletFrame';
  frame.title = `${walletNames[setup.wallet]} sheet`;
  frame.style.cssText =
    'position:fixed;inset:0;width:100%;height:100%;border:0;color-scheme:light only;z-index:2147483647;background:rgb(0 0 0/.4)';
  frame.src = `${js}/v3/wallet.html#${encodeURIComponent(JSON.stringify(setup))}`;
  return new Promise((done) => {
    const hear = ({ source, data }: MessageEvent<FromSheet>) => {
      if (source !== frame.contentWindow) return;
      removeEventListener('message', hear);
      frame.remove();
      if (before instanceof HTMLElement) before.focus();
      done(data);
    };
    addEventListener('message', hear);
    frame.addEventListener('load', () => frame.focus());
    document.body.append(frame);
  });
}
