import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dialledDigits } from '../../../islands/phone/dialled-digits.ts';
import { group } from '../../../islands/phone/number-groups.ts';
import { edited, isPhoneText } from '../../../islands/phone/phone-parse.ts';
import { digitsOf } from '../../../locales/format/plain-text.ts';
import { numberGroups } from '../../../scripts/build/number-groups.ts';

const runs = { numRuns: process.env.FULL === '1' ? 20_000 : 200 };
const groups = numberGroups();
const formatOf = (country: string) => (text: string) => group(text, groups[country] ?? '');
const anyFormat = fc.constantFrom(...Object.keys(groups)).map(formatOf);
const usa = formatOf('US');

/** A field while typing: its text and the caret. */
const press = (now: { text: string; caret: number }, key: string, format = usa) => {
  const [start, end] = [now.text.slice(0, now.caret), now.text.slice(now.caret)];
  const cut = (from: string) => ({ text: from + end, caret: from.length });
  if (key === 'Backspace') {
    return edited(now.text, cut(start.slice(0, -1)), 'deleteContentBackward', format);
  }
  if (key === 'Delete') {
    const rest = { text: start + end.slice(1), caret: start.length };
    return edited(now.text, rest, 'deleteContentForward', format);
  }
  return edited(now.text, cut(start + key), 'insertText', format);
};
const typed = (keys: string) =>
  [...keys].reduce((now, key) => press(now, key), { text: '', caret: 0 });

describe('phone field: typing', () => {
  it('formats with the caret at the end', () => {
    expect(typed('2125550100')).toEqual({ text: '(212) 555-0100', caret: 14 });
  });

  it('keeps the caret behind its digit', () => {
    const { text } = typed('212555010');
    expect(press({ text, caret: 3 }, '9')).toEqual({ text: '(219) 255-5010', caret: 4 });
  });

  it('deletes the digit next to a deleted separator', () => {
    expect(press({ text: '(212) 555-0100', caret: 6 }, 'Backspace')).toEqual({
      text: '(215) 550-100',
      caret: 3,
    });
    expect(press({ text: '(212) 555-0100', caret: 4 }, 'Delete').text).toBe('(212) 550-100');
  });

  it('leaves text that is more than a number unchanged', () => {
    for (const text of ['call me', '2125550100 ext. 5', 'a@b.c', '12+3']) {
      expect(edited('', { text, caret: 1 }, 'insertText', usa)).toEqual({ text, caret: 1 });
    }
  });

  const key = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...'0123456789') },
    { weight: 2, arbitrary: fc.constantFrom('Backspace', 'Delete') },
    { weight: 1, arbitrary: fc.constantFrom(' ', '-', '(', '٣', '۴') },
  );
  const edits = fc.array(fc.tuple(key, fc.nat()), { maxLength: 30 });

  it('keeps every typed digit and the caret among them', () => {
    fc.assert(
      fc.property(anyFormat, edits, (format, all) => {
        let field = { text: '', caret: 0 };
        for (const [one, at] of all) {
          field = { ...field, caret: at % (field.text.length + 1) };
          const before = digitsOf(field.text.slice(0, field.caret));
          const after = digitsOf(field.text.slice(field.caret));
          field = press(field, one, format);
          const left = one === 'Backspace' ? before.slice(0, -1) : before + digitsOf(one);
          const right = one === 'Delete' ? after.slice(1) : after;
          expect(digitsOf(field.text)).toBe(left + right);
          expect(digitsOf(field.text.slice(0, field.caret))).toBe(left);
        }
      }),
      runs,
    );
  });

  it('never loses a digit of any text', () => {
    const sign = fc.constantFrom(...'0123456789+()- .٠٩۵x');
    const text = fc.oneof(fc.string({ unit: sign }), fc.string({ unit: 'grapheme' }));
    fc.assert(
      fc.property(anyFormat, text, fc.nat(), (format, one, at) => {
        const caret = at % (one.length + 1);
        const { text: shown } = edited('', { text: one, caret }, 'insertText', format);
        expect(digitsOf(shown)).toBe(digitsOf(one));
      }),
      runs,
    );
  });
});

describe('phone field: pasted text', () => {
  it.each([
    ['+44 20 7946 0958', '+442079460958'],
    ['(011) 44 20-7946.0958', '011442079460958'],
    ['+٤٤ ٢٠ ٧٩٤٦ ٠٩٥٨', '+442079460958'],
    ['\u202a＋44 20 7946 0958\u202c', '+442079460958'],
    ['\u2066+49\u2011151\u20132345\u22126789\u2069', '+4915123456789'],
    ['０９０－１２３４－５６７８', '09012345678'],
    ['０９０ー１２３４～５６７８', '09012345678'],
    ['[0151]\u00a0234\u3000567\u200b89\u00ad', '015123456789'],
    ['+0049 (0)151/23456789', '+49015123456789'],
    ['+0151 23456789', '+015123456789'],
    ['0xx04 97951-9162', ''],
    ['tel:+4915123456789,', '+4915123456789'],
    ['0xx11 98765-4321', '011987654321'],
    ['call me', ''],
    ['12+3', ''],
    ['+49 151 23456789 ext. 5', ''],
    ['+49 151 23456789;5', ''],
    ['', ''],
  ])('%j dials %s', (text, digits) => {
    expect(dialledDigits(text)).toBe(digits);
  });

  it('has libphonenumber’s punctuation', () => {
    // VALID_PUNCTUATION of google-libphonenumber's phonenumberutil.js, without x.
    const signs =
      '-\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u30fc\uff0d\uff0e\uff0f \u00a0\u00ad\u200b\u2060\u3000()';
    for (const sign of `${signs}\uff08\uff09\uff3b\uff3d.[]/~\u2053\u223c\uff5e`) {
      expect([sign, dialledDigits(`0151${sign}234`)]).toEqual([sign, '0151234']);
      expect([sign, isPhoneText(`0151${sign}234`)]).toEqual([sign, true]);
    }
  });
});

it('phone text: reformatting needs one plus at most, at the start', () => {
  expect(isPhoneText('+٤٤ (20) 7946–0958')).toBe(true);
  expect(isPhoneText('12+3')).toBe(false);
});
