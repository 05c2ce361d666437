import type { Origins } from './messages.ts';
import { type FromExpress, type FromSheet, type SheetSetup, walletNames } from './messages.ts';

/**
 * Shows the sheet of a wallet over everything; resolves once the customer pays or leaves. As with a
 * wallet's own window, Escape is the sheet's wherever in the page the focus is.
 */
export function showSheet({ js }: Origins, setup: SheetSetup): Promise<FromSheet> {
  const frame = document.createElement('iframe');
  const before = document.activeElement;
  frame.name = '__stripeWalletFrame';
  frame.title = `${walletNames[setup.wallet]} sheet`;
  frame.style.cssText =
    'position:fixed;inset:0;width:100%;height:100%;border:0;color-scheme:light only;z-index:2147483647;background:rgb(0 0 0/.4)';
  frame.src = `${js}/v3/wallet.html#${encodeURIComponent(JSON.stringify(setup))}`;
  return new Promise((done) => {
    const end = (said: FromSheet) => {
      removeEventListener('message', hear);
      removeEventListener('keydown', press);
      frame.remove();
      if (before instanceof HTMLElement) before.focus();
      done(said);
    };
    const hear = ({ source, data, origin }: MessageEvent<FromSheet | FromExpress>) => {
      if (data.kind === 'escape' && origin === new URL(js).origin) end({ kind: 'leaves' });
      else if (source === frame.contentWindow) end(data as FromSheet);
    };
    const press = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') end({ kind: 'leaves' });
    };
    addEventListener('message', hear);
    addEventListener('keydown', press);
    frame.addEventListener('load', () => frame.focus());
    document.body.append(frame);
  });
}
