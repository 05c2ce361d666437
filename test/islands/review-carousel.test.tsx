import { expect, it } from 'vitest';
import ReviewCarousel, { nextSlide, placeOf } from '../../islands/review-carousel.tsx';
import { ReviewList } from '../../islands/ui/review-card.tsx';
import { htmlOf, text, wordsOf } from './render-html.tsx';

it('carousel: advances one item per interval', () => {
  expect(nextSlide(0, 3, 2000)).toEqual({ to: 1, after: 2000, seen: true });
  expect(nextSlide(2, 3, 2000)).toEqual({ to: 3, after: 2000, seen: true });
});

it('carousel: jumps from the clone to the first item after half an interval', () => {
  expect(nextSlide(3, 3, 2000)).toEqual({ to: 0, after: 1000, seen: false });
});

it('carousel: shows the first item as long as the others', () => {
  expect(nextSlide(0, 3, 2000, true)).toEqual({ to: 1, after: 1000, seen: true });
});

it('carousel: does not move with one item or none', () => {
  expect(nextSlide(0, 1, 2000)).toBeNull();
  expect(nextSlide(0, 0, 2000)).toBeNull();
});

it('carousel: finds its position in both writing directions, and without layout', () => {
  expect(placeOf(702, 351)).toBe(2);
  expect(placeOf(-340, 351)).toBe(1);
  expect(placeOf(10, 0)).toBe(0);
});

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

it('review carousel: accepts reviews with markup, or plain text', () => {
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
