import { FrameElement } from './frame-element.ts';
import type { FieldSetup, FromFrame, ToField } from './messages.ts';

const elements = {
  number: ['cardNumber', 'Secure card number input frame'],
  expiry: ['cardExpiry', 'Secure expiration date input frame'],
  cvc: ['cardCvc', 'Secure CVC input frame'],
} as const;

const gone = {
  type: 'invalid_request_error',
  message:
    'We could not retrieve data from the specified Element. Please make sure the Element you are attempting to use is still mounted.',
};

/** One field of a card form, in an iframe. */
export class FieldElement extends FrameElement {
  private readonly js: string;
  private readonly setup: FieldSetup;
  private readonly calls = new Map<number, (result: object) => void>();
  /** Messages queued until the frame listens; undefined afterwards. */
  private waiting: ToField[] | undefined = [];
  private labels = new AbortController();

  constructor(js: string, setup: FieldSetup) {
    super();
    this.js = js;
    this.setup = setup;
  }

  protected draw(box: HTMLElement): void {
    const { field, style } = this.setup;
    const height = Number.parseFloat(style.base?.lineHeight ?? '') || 20;
    this.show(`${this.js}/v3/field.html`, elements[field][1], height, this.setup);
    this.labels = new AbortController();
    if (!box.id) return;
    // A label cannot reach into a frame, so a click on one is passed on.
    for (const label of document.querySelectorAll(`label[for=${CSS.escape(box.id)}]`)) {
      label.addEventListener('click', () => this.focus(), { signal: this.labels.signal });
    }
  }

  /** https://docs.stripe.com/js/element/other_methods/focus */
  focus(): void {
    this.frame?.focus();
    this.tell({ kind: 'focus' });
  }

  override unmount(): void {
    super.unmount();
    this.waiting = [];
    this.labels.abort();
    for (const done of this.calls.values()) done({ error: gone });
    this.calls.clear();
  }

  /** Asks the frame to create a payment method. */
  create(details: object): Promise<object> {
    if (!this.frame) return Promise.resolve({ error: gone });
    return new Promise((done) => {
      const call = Math.random();
      this.calls.set(call, done);
      this.tell({ kind: 'create', call, details });
    });
  }

  private tell(message: ToField): void {
    if (this.waiting) this.waiting.push(message);
    else this.frame?.contentWindow?.postMessage(message, new URL(this.js).origin);
  }

  protected hear(message: FromFrame): void {
    if (message.kind === 'ready') {
      const queued = this.waiting ?? [];
      this.waiting = undefined;
      for (const each of queued) this.tell(each);
    }
    if (message.kind === 'change') {
      const [elementType] = elements[this.setup.field];
      this.emit('change', { elementType, error: undefined, ...message.value });
    }
    if (message.kind === 'answer') {
      this.calls.get(message.call)?.(message.result);
      this.calls.delete(message.call);
    }
    // Enter in a field submits the form around it, as in a field of the page's own.
    if (message.kind === 'submit') this.box?.closest('form')?.requestSubmit();
  }
}
