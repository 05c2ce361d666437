import { screenIds } from './flows.ts';

/** Texts, by their key in `screens` or `islands`, with the screens that show them. */
const groups: readonly (readonly [keys: RegExp, screens: RegExp])[] = [
  [/^landing\.steps/, /^(one_pager|searching|check|pay|upsell|success)/],
  [/^landing\.cost/, /^(one_pager|check|pay)/],
  [/^(landing|phone-form)/, /^one_pager/],
  [/^questions/, /^questions/],
  [/^search/, /^searching/],
  [/^(invited|invitee-response)/, /^(one_pager|searching)/],
  [/^(signup|email-form|google-button)/, /^signup/],
  [/^features/, /^(one_pager|features|check|pay)/],
  [/^paywall\.combo/, /^(check|pay)/],
  [/^(checkout\.cancel|card-form\.(stuck|reload))$/, /^(check|pay|upsell)/],
  [/^guarantee\.link$/, /^(one_pager|features|check|pay)/],
  [
    /^(checkout|summary|order-summary|card-form|bank-form|payment-return|wallet-buttons)/,
    /^(check|pay)/,
  ],
  [/^plan-picker\.(renews|billed|intro|then)/, /^(one_pager|check|pay)/],
  [/^(plan-picker|guarantee)/, /^(check|pay)/],
  [/^plans/, /^(one_pager|check|pay|upsell)/],
  [/^paywall/, /^paycheck/],
  [/^upsell(\.active|-offer\.onward)$/, /^(check|pay|upsell|success)/],
  [/^upsell/, /^upsell/],
  [/^(success|invite-panel|app-handoff|owned-extras)/, /^success/],
  [/^my-account\.upsell$/, /^upsell_an/],
  [/^my-account\.guide$/, /^upsell_guide/],
  [/^my-account\.next$/, /^success/],
  [/^sign-in-again\.email$/, /^(check|pay|upsell|success)/],
  [/^sign-in-again/, /^(upsell|success)/],
  [/^notice\.number/, /^(searching|signup)/],
  [/^notice\.declined/, /^payment_declined/],
  [/^notice/, /^(payment_declined|check|pay|upsell|success)/],
  [/^(document|common|progress|scene|alerts|claims|limits|review)/, /./],
  [/^(number|invitation|toast|consent-banner)/, /./],
];

/** The screens that show a text, in the order of `screenIds`; none for e-mails, errors and pages outside flows. */
export function screensWith(key: string): string[] {
  const [, path = ''] = /^(?:screens|islands)\.(.*)/.exec(key) ?? [];
  const [group, part] = path.split('.');
  const shown = groups.find(([keys]) => keys.test(path))?.[1];
  const all = screenIds.filter((id) => shown?.test(id));
  const own = all.filter((id) => id === part || id === `${group}_${part}`);
  return own.length > 0 ? own : all;
}
