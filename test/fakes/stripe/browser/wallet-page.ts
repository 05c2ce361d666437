import { type FromSheet, type SheetSetup, walletNames } from './messages.ts';

const { wallet, amount, currency, lines, page }: SheetSetup = JSON.parse(
  decodeURIComponent(location.hash.slice(1)),
);

const CARDS = [
  ['pm_card_visa', 'Card that approves'],
  ['pm_card_visa_chargeDeclined', 'Card that declines'],
  ['pm_card_authenticationRequiredOnSetup', 'Card whose bank asks'],
] as const;

const say = (message: FromSheet) => parent.postMessage(message, page);

const money = (minor: number) =>
  new Intl.NumberFormat('en', { style: 'currency', currency: currency.toUpperCase() }).format(
    minor / 100,
  );

function element<Name extends keyof HTMLElementTagNameMap>(name: Name, text = '') {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

const form = element('form');
form.className = 'dialog';
form.setAttribute('role', 'dialog');
form.setAttribute('aria-modal', 'true');
form.setAttribute('aria-labelledby', 'title');
const title = element('h1', walletNames[wallet]);
title.id = 'title';
const list = element('dl');
for (const { name, amount: each } of [...lines, { name: 'Total', amount }]) {
  list.append(element('dt', name), element('dd', money(each)));
}
const cards = element('fieldset');
cards.append(element('legend', 'This is a test: choose the card.'));
CARDS.forEach(([card, name], i) => {
  const label = element('label', name);
  const radio = element('input');
  radio.type = 'radio';
  radio.name = 'card';
  radio.defaultValue = card;
  radio.defaultChecked = i === 0;
  label.prepend(radio);
  cards.append(label);
});
const pay = element('button', 'Pay');
const cancel = element('button', 'Cancel');
cancel.type = 'button';
cancel.addEventListener('click', () => say({ kind: 'leaves' }));
form.addEventListener('submit', (event) => {
  event.preventDefault();
  pay.disabled = true;
  say({ kind: 'pays', card: String(new FormData(form).get('card')) });
});
addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') say({ kind: 'leaves' });
});
form.append(title, list, cards, pay, cancel);
document.body.append(form);
pay.focus();
