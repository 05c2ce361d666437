import { expect, it } from 'vitest';
import { ReviewSection } from '../../../screens/parts/review-section.tsx';
import { Signup } from '../../../screens/signup.tsx';
import { htmlOf, page, props, wordsOf } from '../page-fixture.tsx';

const pageWithQuestions = {
  ...page,
  screen: 'signup_testim' as const,
  flow: { ...page.flow, hasQuestions: true },
};
const heading = (html: string) => /<h1.*?<\/h1>/.exec(html)?.[0] ?? '';

it('answers: a flow with questions contains a headline for each relation, another flow only one', () => {
  const withQuestions = heading(htmlOf(<Signup {...props} page={pageWithQuestions} reviews />));
  expect(withQuestions.match(/data-need="answers\.\w+"/g)).toEqual([
    'data-need="answers.child"',
    'data-need="answers.parent"',
    'data-need="answers.partner"',
    'data-need="answers.friend"',
  ]);
  expect(wordsOf(withQuestions)).toContain('Where should we send your child’s answer?');
  const plain = heading(htmlOf(<Signup {...props} reviews />));
  expect(plain).not.toContain('answers.');
});

it('answers: the review of an author with the same relation is shown, else the first', () => {
  const reviews = [
    { name: 'A', text: 'First', source: 's' },
    { name: 'B', text: 'Of a son', source: 's', about: 'child' },
  ];
  const html = htmlOf(<ReviewSection {...props} page={{ ...pageWithQuestions, reviews }} />);
  expect(html.indexOf('First')).toBeLessThan(html.indexOf('data-need="answers.child"'));
  expect(html.match(/Of a son/g)).toHaveLength(1);
  expect(html).not.toContain('x-island');
});
