import { expect, it } from 'vitest';
import { CouponField } from '../../../islands/checkout/coupon-field.tsx';
import { htmlOf, text, wordsOf } from '../html.tsx';

const none = { applied: '', off: '', code: '', error: '', pending: false, opened: false };
const nothing = () => {};
const of = (state: Partial<typeof none>) =>
  htmlOf(
    <CouponField
      text={text['order-summary']}
      {...none}
      {...state}
      onToggle={nothing}
      onApply={nothing}
      onRemove={nothing}
    />,
  );
/** The elements of a page that take space, without their text. */
const shape = (html: string) =>
  html.replace(/>[^<]+</g, '><').replace(/ (class|aria-\w+)="[^"]*"/g, '');
const applied = { applied: 'SAVE20', off: '−$12.00', code: 'SAVE20' };

it('coupon field: its line names the applied code and the discount', () => {
  expect(wordsOf(of(applied))).toBe('Code SAVE20 is applied. −$12.00 Code Remove');
});

it.each([true, false])('coupon field: keeps its layout for every result, opened: %j', (opened) => {
  const before = shape(of({ opened })).replace('<span></span></summary>', '</summary>');
  const after = shape(of({ ...applied, opened }));
  expect(after.replace('<span></span></summary>', '</summary>').replace(/ value="\w+"/, '')).toBe(
    before.replace(/ value=""/, ''),
  );
});

it('coupon field: shows the error in the line when closed, in the field when open', () => {
  const error = 'We don’t recognize this code.';
  expect(of({ error })).toMatch(/<summary[^>]*><span[^>]*>We don’t recognize/);
  expect(of({ error, opened: true })).toMatch(/<summary[^>]*><span[^>]*>Have a code/);
});
