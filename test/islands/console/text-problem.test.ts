import { expect, test } from 'vitest';
import { textProblem } from '../../../islands/console/text-problem.ts';

test.each([
  ['Pay {{price}}', ''],
  ['', ''],
  ['Pay', 'Missing: {{price}}'],
  ['Pay {{prize}}', 'Missing: {{price}}. Not known here: {{prize}}'],
  ['Pay {{price}} <b>now</b>', 'Not known here: </b> <b>'],
  ['Pay {{price', 'Write placeholders and links as in the built-in text.'],
  ['Pay {{price}} [terms](terms)', 'Not known here: […](terms)'],
])('console texts: while “%s” is typed the field shows “%s”', (text, problem) => {
  expect(textProblem(text, 'Buy for {{price}}', 'screens.pay', 'en')).toBe(problem);
});
