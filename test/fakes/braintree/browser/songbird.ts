import { reachableUrl } from './script-origin.ts';

type Handler = (...given: never[]) => void;

const script = document.currentScript;
const here = script instanceof HTMLScriptElement ? script.src : '';
const api = 'https://cas.client.cardinaltrusted.com/centinelapi/V1';
/** The bank of every test card: any host may be one. */
const methodUrl = 'https://acs.bank.example/method';
const frameName = 'Cardinal-CCA-IFrame';
let framework = 'cardinal';
/** Stops listening to the previous frame. */
let removeListener = () => {};
const handlers = new Map<string, Handler>();
const fire = (name: string, ...given: unknown[]) =>
  handlers.get(name)?.(...(given as unknown as never[]));

interface Bank {
  AcsUrl: string;
  Payload: string;
}

/** Banks receive a POST, so the form is in the merchant's document (braintree-web's jsdoc: `form-action *`). */
function post(address: string, target: string, field: string, value: string): void {
  const form = document.createElement('form');
  form.method = 'post';
  form.action = reachableUrl(address, here);
  form.target = target;
  const input = document.createElement('input');
  Object.assign(input, { type: 'hidden', name: field, value });
  form.append(input);
  form.hidden = true;
  document.body.append(form);
  form.submit();
  form.remove();
}

/** Lets the bank examine the browser in a hidden frame; it has 10 s (EMV 3-D Secure, 3DS Method). */
function collectBrowserData(): Promise<{ Status: boolean }> {
  const frame = document.createElement('iframe');
  frame.name = 'Cardinal-method';
  frame.hidden = true;
  document.body.append(frame);
  post(methodUrl, frame.name, 'threeDSMethodData', 'fake');
  return new Promise((done) => {
    const end = (Status: boolean) => {
      frame.remove();
      done({ Status });
    };
    frame.onload = () => end(true);
    setTimeout(end, 10_000, false);
  });
}

/** Gives the merchant a frame for the bank's page, and posts into it once it is attached. */
function challenge({ AcsUrl, Payload }: Bank): void {
  const onMessage = ({ source, data }: MessageEvent<{ outcome?: string }>) => {
    const frame = document.getElementById(frameName);
    if (!(frame instanceof HTMLIFrameElement) || source !== frame.contentWindow) return;
    if (!data.outcome) return;
    removeListener();
    fire('ui.close');
    const ActionCode = data.outcome === 'authenticated' ? 'SUCCESS' : 'FAILURE';
    fire('payments.validated', { ActionCode, ErrorNumber: 0, Payment: {} }, Payload);
  };
  const ready = () => {
    removeListener();
    removeListener = () => removeEventListener('message', onMessage);
    addEventListener('message', onMessage);
    post(AcsUrl, frameName, 'creq', Payload);
    fire('ui.render');
  };
  const template = `<iframe id="${frameName}" name="${frameName}" width="390" height="400"></iframe>`;
  const details = { paymentType: 'CCA', data: { mode: 'static' } };
  if (framework === 'inline') {
    fire('ui.inline.setup', template, details, ready);
    return;
  }
  // Cardinal's own window cannot be closed from outside (github.com/braintree/braintree-web/issues/596).
  const modal = document.createElement('div');
  modal.style.cssText = 'position:fixed;inset:0;z-index:999999;background:rgb(0 0 0/.4)';
  modal.innerHTML = template;
  document.body.append(modal);
  ready();
}

async function setUp(_kind: string, { jwt }: { jwt: string }): Promise<void> {
  try {
    const body = JSON.stringify({ jwt });
    const response = await fetch(reachableUrl(`${api}/Order/JWT/Init`, here), {
      method: 'POST',
      body,
    });
    fire('payments.setupComplete', await response.json());
  } catch {
    // braintree-web's songbird.js: 10001 is "Timeout when sending an /Init message".
    fire('payments.validated', { ActionCode: 'ERROR', ErrorNumber: 10001 });
  }
}

/** The part of Cardinal's library used by braintree-web. */
const cardinal = {
  configure({ payment }: { payment?: { framework?: string } }) {
    framework = payment?.framework ?? 'cardinal';
  },
  on: (name: string, handler: Handler) => void handlers.set(name, handler),
  off: (name: string) => void handlers.delete(name),
  setup: setUp,
  trigger: collectBrowserData,
  continue: (_kind: string, bank: Bank) => challenge(bank),
};

Object.assign(window, { Cardinal: cardinal });
