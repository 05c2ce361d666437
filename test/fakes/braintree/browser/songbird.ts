import { reach } from './place.ts';

type Handler = (...given: never[]) => void;

const script = document.currentScript;
const here = script instanceof HTMLScriptElement ? script.src : '';
const handlers = new Map<string, Handler>();
const fire = (name: string, ...given: unknown[]) =>
  handlers.get(name)?.(...(given as unknown as never[]));

interface Bank {
  AcsUrl: string;
  Payload: string;
}

/** Shows the bank's page over everything until the payer has answered it. */
function ask({ AcsUrl, Payload }: Bank): void {
  const frame = document.createElement('iframe');
  const before = document.activeElement;
  frame.id = 'Cardinal-CCA-IFrame';
  frame.title = '3D Secure authentication frame';
  frame.style.cssText =
    'position:fixed;inset:0;width:100%;height:100%;border:0;color-scheme:light only;z-index:2147483647;background:rgb(0 0 0/.4)';
  const setup = { transaction: Payload, page: location.origin };
  frame.src = `${reach(AcsUrl, here)}#${encodeURIComponent(JSON.stringify(setup))}`;
  const hear = ({ source, data }: MessageEvent<{ outcome?: string }>) => {
    if (source !== frame.contentWindow || !data.outcome) return;
    removeEventListener('message', hear);
    frame.remove();
    if (before instanceof HTMLElement) before.focus();
    fire('ui.close');
    const ActionCode = data.outcome === 'authenticated' ? 'SUCCESS' : 'FAILURE';
    fire('payments.validated', { ActionCode, ErrorNumber: 0, Payment: {} }, Payload);
  };
  addEventListener('message', hear);
  document.body.append(frame);
  fire('ui.render');
}

/** The part of Cardinal's library that braintree-web uses. */
const cardinal = {
  configure: () => undefined,
  on: (name: string, handler: Handler) => void handlers.set(name, handler),
  off: (name: string) => void handlers.delete(name),
  setup: () => void setTimeout(() => fire('payments.setupComplete', { sessionId: 'fake' })),
  trigger: async () => ({ Status: true }),
  continue: (_kind: string, bank: Bank) => ask(bank),
};

Object.assign(window, { Cardinal: cardinal });
