import { type FromFrame, type PaymentSetup, request, setupOf, type ToField } from './messages.ts';

const { types, colours, key, api, page } = setupOf<PaymentSetup>();
const names = { sepa_debit: 'SEPA Debit', ideal: 'iDEAL', bancontact: 'Bancontact' } as const;
type Type = keyof typeof names;
const post = (message: FromFrame) => parent.postMessage(message, page);

const field = (label: string, name: string) => {
  const box = document.createElement('label');
  const input = document.createElement('input');
  Object.assign(input, { name, type: 'text', spellcheck: false });
  box.append(label, input);
  return { box, input };
};
const choice = document.createElement('select');
choice.setAttribute('aria-label', 'Payment method');
for (const type of types) choice.append(new Option(names[type as Type], type));
const name = field('Full name', 'name');
const email = field('Email', 'email');
const iban = field('IBAN', 'iban');
const mandate = document.createElement('p');
// docs.stripe.com/payments/sepa-debit#mandates: the element shows the mandate.
mandate.textContent =
  'By providing your payment information and confirming this payment, you authorise us and Stripe to debit your account.';
document.title = 'Secure payment input frame';
document.body.append(choice, name.box, email.box, iban.box, mandate);
document.body.style.background = colours.colorBackground ?? '';
document.body.style.color = colours.colorText ?? '';

function change(): void {
  iban.box.hidden = choice.value !== 'sepa_debit';
}

function check(): object {
  const inputs = choice.value === 'sepa_debit' ? [name, email, iban] : [name, email];
  if (inputs.every(({ input }) => input.value !== '')) return {};
  const message = 'Please fill in your payment details.';
  return { error: { type: 'validation_error', code: 'incomplete', message } };
}

async function create(): Promise<object> {
  const type = choice.value as Type;
  const response = await request(api, key, 'POST', '/payment_methods', {
    type,
    billing_details: { name: name.input.value, email: email.input.value },
    ...(type === 'sepa_debit' && { sepa_debit: { iban: iban.input.value } }),
  });
  return response.error ? response : { paymentMethod: response.object };
}

document.body.addEventListener('input', change);
addEventListener('message', async ({ data, source }: MessageEvent<ToField>) => {
  if (source !== parent || data.kind === 'focus') return;
  const result = data.kind === 'check' ? check() : await create();
  post({ kind: 'answer', call: data.call, result });
});
change();
// The element is as high as its content, so that the mandate is not cut off.
const resize = () => post({ kind: 'resize', heightPx: Math.ceil(document.body.offsetHeight) });
resize();
new ResizeObserver(resize).observe(document.body);
post({ kind: 'ready' });
