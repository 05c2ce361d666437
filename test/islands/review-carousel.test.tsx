import { expect, it } from 'vitest';
import ReviewCarousel from '../../islands/review-carousel.tsx';
import { ReviewList } from '../../islands/ui/review-list.tsx';
import { htmlOf, text, wordsOf } from './html.tsx';

const words = text['review-carousel'];
const anna = { name: 'Anna', text: 'We both know.', mark: 'Sample review' };
const carousel = htmlOf(<ReviewCarousel text={words} items={[anna, 'Calm.']} />);

it('review carousel: ends with a clone that is hidden from screen readers', () => {
  expect(carousel.match(/<li/g)).toHaveLength(3);
  expect(carousel.match(/<li[^>]*aria-hidden="true"/g)).toHaveLength(1);
  expect(carousel.lastIndexOf('We both know.')).toBeGreaterThan(carousel.indexOf('Calm.'));
});

it('review carousel: can be focused, scrolled and paused', () => {
  expect(carousel).toMatch(/<ul[^>]*tabindex="0"/);
  expect(carousel).toMatch(/<button[^>]*aria-label="(Pause|Play) the reviews"/);
});

it('review carousel: a single review needs neither clone nor button', () => {
  const single = htmlOf(<ReviewCarousel text={words} items={[anna]} />);
  expect(single.match(/<li/g)).toHaveLength(1);
  expect(single).not.toContain('<button');
});

it('review carousel: takes reviews with a mark, or plain text', () => {
  expect(wordsOf(carousel)).toContain('We both know. A Anna Sample review Calm.');
  const pictured = htmlOf(<ReviewCarousel text={words} items={[{ ...anna, img: '/anna.avif' }]} />);
  expect(pictured).toMatch(/<img[^>]*src="\/anna.avif"[^>]*alt=""/);
});

it('review carousel: lists all in static mode, elements included', () => {
  const still = htmlOf(<ReviewCarousel text={words} items={[anna, 'Calm.']} staticList />);
  expect(still.match(/<li/g)).toHaveLength(2);
  expect(still).not.toMatch(/<button|aria-hidden="true"[^>]*><figure/);
  expect(htmlOf(<ReviewList items={[<b key="own">Own drawing</b>]} />)).toContain(
    '<li><b>Own drawing</b></li>',
  );
});
