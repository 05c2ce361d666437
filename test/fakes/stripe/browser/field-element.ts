import type { StripeElementStyleVariant } from '@stripe/stripe-js';
import type {
  FieldOptions,
  FieldSetup,
  FieldType,
  FieldValue,
  FromField,
  ToField,
} from './messages.ts';
import { Emitter } from './messages.ts';

const NAMES: Record<string, string> = {
  backgroundColor: 'background-color',
  color: 'color',
  fontFamily: 'font-family',
  fontSize: 'font-size',
  fontStyle: 'font-style',
  fontVariant: 'font-variant',
  fontWeight: 'font-weight',
  letterSpacing: 'letter-spacing',
  lineHeight: 'line-height',
  padding: 'padding',
  textAlign: 'text-align',
  textDecoration: 'text-decoration',
  textShadow: 'text-shadow',
  textTransform: 'text-transform',
};

/** Below 16 px a phone zooms into the field; so fields are never smaller. */
const legible = (size: string) =>
  size.endsWith('px') && Number.parseFloat(size) < 16 ? '16px' : size;
const safe = (value: unknown) => String(value).replace(/[{}<>;]/g, '');
function rule(selector: string, variant: object = {}): string {
  const lines = Object.entries(variant).flatMap(([name, value]) => {
    const property = NAMES[name];
    if (!property || value === undefined) return [];
    return [`${property}:${safe(property === 'font-size' ? legible(String(value)) : value)}`];
  });
  return lines.length > 0 ? `${selector}{${lines.join(';')}}` : '';
}

function rules(selector: string, variant: StripeElementStyleVariant = {}): string {
  const nested = Object.entries(variant).filter(([name]) => name.startsWith(':'));
  return [
    rule(selector, variant),
    rule(`${selector}+.icon`, { color: variant.iconColor }),
    ...nested.map(([pseudo, inner]) => rule(`${selector}${pseudo}`, inner as object)),
  ].join('');
}

/** The sheet of a field from `style.base`, `.complete`, `.empty` and `.invalid`. */
export const sheetOf = ({ style }: FieldOptions): string =>
  [
    rules('input', style?.base),
    rules('input.empty', style?.empty),
    rules('input.complete', style?.complete),
    rules('input.invalid', style?.invalid),
  ].join('');

const TITLES: Record<FieldType, string> = {
  cardNumber: 'Secure card number input frame',
  cardExpiry: 'Secure expiration date input frame',
  cardCvc: 'Secure CVC input frame',
};

let frames = 0;

/** One field of a card form, in an iframe. */
export class FieldElement extends Emitter {
  readonly _elementType: FieldType;
  private readonly setup: FieldSetup;
  private readonly address: string;
  private readonly calls = new Map<number, (result: object) => void>();
  private value: FieldValue = { empty: true, complete: false };
  private frame: HTMLIFrameElement | undefined;
  private box: HTMLElement | undefined;
  /** Messages queued until the frame listens; undefined afterwards. */
  private waiting: ToField[] | undefined = [];
  private labels = new AbortController();

  constructor(address: string, setup: FieldSetup) {
    super();
    this.address = address;
    this.setup = setup;
    this._elementType = setup.type;
  }

  mount(where: string | HTMLElement): void {
    const box = typeof where === 'string' ? document.querySelector<HTMLElement>(where) : where;
    if (!box?.isConnected) {
      throw new Error(
        `The selector you specified (${where}) applies to no DOM elements that are currently on the page.`,
      );
    }
    this.unmount();
    const size = Math.max(
      16,
      Number.parseFloat(this.setup.options.style?.base?.fontSize ?? '') || 16,
    );
    const line = Number.parseFloat(this.setup.options.style?.base?.lineHeight ?? '') || 0;
    const frame = document.createElement('iframe');
    frame.name = `__privateStripeFrame${++frames}`;
    frame.title = TITLES[this.setup.type];
    frame.allow = 'payment *';
    frame.setAttribute('frameborder', '0');
    frame.setAttribute('scrolling', 'no');
    frame.style.cssText = `border:0;margin:0;padding:0;width:100%;min-width:100%;overflow:hidden;display:block;color-scheme:light only;height:${Math.max(line, size * 1.2)}px`;
    frame.src = `${this.address}?type=${this.setup.type}#${encodeURIComponent(JSON.stringify(this.setup))}`;
    const wrapper = document.createElement('div');
    wrapper.className = '__PrivateStripeElement';
    wrapper.append(frame);
    box.replaceChildren(wrapper);
    box.classList.add('StripeElement');
    this.frame = frame;
    this.box = box;
    this.show();
    addEventListener('message', this.hear);
    this.listenToLabels(box);
  }

  unmount(): void {
    removeEventListener('message', this.hear);
    for (const state of ['', '--empty', '--complete', '--invalid', '--focus']) {
      this.box?.classList.remove(`StripeElement${state}`);
    }
    this.box?.replaceChildren();
    this.frame = undefined;
    this.box = undefined;
    this.waiting = [];
    this.labels.abort();
    this.value = { empty: true, complete: false };
    for (const done of this.calls.values()) done({ error: GONE });
    this.calls.clear();
  }

  destroy(): void {
    this.unmount();
    this.forget();
  }

  update(options: FieldOptions): void {
    Object.assign(this.setup.options, options);
    this.tell({ kind: 'update', options });
  }

  focus(): void {
    this.frame?.focus();
    this.tell({ kind: 'focus' });
  }

  blur(): void {
    this.tell({ kind: 'blur' });
    this.frame?.blur();
  }

  clear(): void {
    this.tell({ kind: 'clear' });
  }

  /** Asks the frame to create a payment method. */
  create(details: object): Promise<object> {
    if (!this.frame) return Promise.resolve({ error: GONE });
    return new Promise((done) => {
      const call = Math.random();
      this.calls.set(call, done);
      this.tell({ kind: 'create', call, details });
    });
  }

  private tell(message: ToField): void {
    if (this.waiting) this.waiting.push(message);
    else this.frame?.contentWindow?.postMessage(message, new URL(this.address).origin);
  }

  /** A label cannot reach into a frame, so a click on one is passed on. */
  private listenToLabels(box: HTMLElement): void {
    this.labels = new AbortController();
    if (!box.id) return;
    for (const label of document.querySelectorAll(`label[for=${CSS.escape(box.id)}]`)) {
      label.addEventListener('click', () => this.focus(), { signal: this.labels.signal });
    }
  }

  private listening(): void {
    const said = this.waiting ?? [];
    this.waiting = undefined;
    for (const message of said) this.tell(message);
  }

  private readonly hear = ({ source, data }: MessageEvent<FromField>): void => {
    if (!this.frame || source !== this.frame.contentWindow) return;
    const elementType = this._elementType;
    switch (data.kind) {
      case 'change':
        this.value = data.value;
        this.show();
        this.emit('change', { elementType, error: undefined, ...data.value });
        break;
      case 'answer':
        this.calls.get(data.call)?.(data.result);
        this.calls.delete(data.call);
        break;
      case 'submit':
        // Enter in a field submits the form around it, as in a field of the page's own.
        this.box?.closest('form')?.requestSubmit();
        break;
      default:
        if (data.kind === 'ready') this.listening();
        if (data.kind === 'focus') this.box?.classList.add('StripeElement--focus');
        if (data.kind === 'blur') this.box?.classList.remove('StripeElement--focus');
        this.emit(data.kind, { elementType });
    }
  };

  private show(): void {
    const { empty, complete, error } = this.value;
    this.box?.classList.toggle('StripeElement--empty', empty);
    this.box?.classList.toggle('StripeElement--complete', complete);
    this.box?.classList.toggle('StripeElement--invalid', error !== undefined);
  }
}

const GONE = {
  type: 'invalid_request_error',
  message:
    'We could not retrieve data from the specified Element. Please make sure the Element you are attempting to use is still mounted.',
};
