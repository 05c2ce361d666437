import { FrameElement } from './frame-element.ts';
import type { FromFrame, PaymentSetup } from './messages.ts';

/** The Payment Element with bank methods, in an iframe. */
export class PaymentElement extends FrameElement {
  private readonly js: string;
  private readonly setup: () => PaymentSetup;

  constructor(js: string, setup: () => PaymentSetup) {
    super();
    this.js = js;
    this.setup = setup;
  }

  protected draw(): void {
    this.show(`${this.js}/v3/payment.html`, 'Secure payment input frame', 320, this.setup());
  }

  /** Changed methods change the list in the frame. */
  redraw(): void {
    if (this.box) this.draw();
  }

  create(): Promise<object> {
    return this.request('create');
  }

  /** docs.stripe.com/js/elements/submit: the fields are validated when they are submitted. */
  check(): Promise<object> {
    return this.request('check');
  }

  protected handle(message: FromFrame): void {
    if (message.kind === 'ready') this.emit('ready', { elementType: 'payment' });
    if (message.kind === 'resize' && this.frame) {
      this.frame.style.height = `${message.heightPx}px`;
    }
  }
}
