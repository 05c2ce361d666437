import { expect, it, vi } from 'vitest';
import { emailStep } from '../../../islands/account/email-step.ts';
import { $signup, setEmail } from '../../../islands/stores/signup.ts';

const answerTo = (typed: string) => {
  vi.stubGlobal(
    'FormData',
    class {
      get = () => typed;
    },
  );
  return emailStep.answer?.({ localName: 'form' } as never, {} as never);
};

it.each([
  ['', 'anna@example.com', false],
  ['  ', 'anna@example.com', false],
  ['anna@', 'anna@', false],
  [' ben@example.com', 'ben@example.com', true],
])('e-mail step: after a tap with %j in the field, %s is stored', (typed, stored, goesOn) => {
  setEmail('anna@example.com', true);
  expect(typeof answerTo(typed) === 'function').toBe(goesOn);
  expect($signup.get().email).toBe(stored);
});
