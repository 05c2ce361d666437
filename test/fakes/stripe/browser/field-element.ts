import { FrameElement } from './frame-element.ts';
import type { FieldSetup, FromFrame } from './messages.ts';

const elements = {
  number: ['cardNumber', 'Secure card number input frame'],
  expiry: ['cardExpiry', 'Secure expiration date input frame'],
  cvc: ['cardCvc', 'Secure CVC input frame'],
} as const;

/** One field of a card form, in an iframe. */
export class FieldElement extends FrameElement {
  private readonly js: string;
  private readonly setup: FieldSetup;
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
    this.post({ kind: 'focus' });
  }

  override unmount(): void {
    super.unmount();
    this.labels.abort();
  }

  /** Asks the frame to create a payment method. */
  create(details: object): Promise<object> {
    return this.request('create', details);
  }

  protected handle(message: FromFrame): void {
    if (message.kind === 'change') {
      const [elementType] = elements[this.setup.field];
      this.emit('change', { elementType, error: undefined, ...message.value });
    }
    // docs.stripe.com/js/element/events/on_focus, …/on_blur
    if (message.kind === 'focus' || message.kind === 'blur') {
      this.emit(message.kind, { elementType: elements[this.setup.field][0] });
    }
    // Enter in a field submits the surrounding form, as in a normal field.
    if (message.kind === 'submit') this.box?.closest('form')?.requestSubmit();
  }
}
