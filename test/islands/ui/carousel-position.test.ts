import { expect, it } from 'vitest';
import { nextSlide, placeOf } from '../../../islands/ui/carousel-position.ts';

it('carousel: advances one item per interval', () => {
  expect(nextSlide(0, 3, 2000)).toEqual({ to: 1, after: 2000, seen: true });
  expect(nextSlide(2, 3, 2000)).toEqual({ to: 3, after: 2000, seen: true });
});

it('carousel: jumps from the clone to the first item after half an interval', () => {
  expect(nextSlide(3, 3, 2000)).toEqual({ to: 0, after: 1000, seen: false });
});

it('carousel: shows the first item as long as others', () => {
  expect(nextSlide(0, 3, 2000, true)).toEqual({ to: 1, after: 1000, seen: true });
});

it('carousel: stands still with one item or none', () => {
  expect(nextSlide(0, 1, 2000)).toBeNull();
  expect(nextSlide(0, 0, 2000)).toBeNull();
});

it('carousel: finds its position in both writing directions, and without layout', () => {
  expect(placeOf(702, 351)).toBe(2);
  expect(placeOf(-340, 351)).toBe(1);
  expect(placeOf(10, 0)).toBe(0);
});
