/** A point of a chart, as in its `data-points`. */
interface Point {
  /** Percent of the chart's width. */
  x: number;
  /** Such as 11-22: $1,204. */
  text: string;
  /** Percent from the top, one value per line. */
  ys: number[];
}

const svg = 'http://www.w3.org/2000/svg';

/** The nearest point. @param x percent of the width */
export const nearest = (points: readonly { x: number }[], x: number): number =>
  points.reduce(
    (best, point, at) => (Math.abs(point.x - x) < Math.abs((points[best]?.x ?? 0) - x) ? at : best),
    0,
  );

/** The point that a key leads to; null for other keys. */
export function stepTo(key: string, at: number, count: number): number | null {
  const last = count - 1;
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[key];
  return to === undefined ? null : Math.min(last, Math.max(0, to));
}

/** Shows the value under the pointer and with the arrow keys. A screen reader announces it like a slider's. */
export function connectChart(figure: HTMLElement): void {
  const points = JSON.parse(figure.dataset.points ?? '[]') as Point[];
  const chart = figure.querySelector<SVGSVGElement>('svg.chart');
  if (!chart || points.length === 0) return;
  const rule = document.createElementNS(svg, 'line');
  rule.setAttribute('class', 'rule');
  rule.setAttribute('y2', '100%');
  const dots = (points[0]?.ys ?? []).map(() => {
    const dot = document.createElementNS(svg, 'circle');
    dot.setAttribute('class', 'dot');
    dot.setAttribute('r', '5');
    return dot;
  });
  const shown = document.createElementNS(svg, 'g');
  shown.append(rule, ...dots);
  const words = document.createElement('p');
  words.className = 'reading';
  words.setAttribute('aria-hidden', 'true');
  const place = chart.parentElement ?? figure;
  let at = points.length - 1;
  const set = (element: Element, all: Record<string, string>) => {
    for (const [name, value] of Object.entries(all)) element.setAttribute(name, value);
  };
  const show = (next: number) => {
    at = next;
    const point = points[at];
    if (!point) return;
    const x = `${point.x}%`;
    set(rule, { x1: x, x2: x });
    for (const [index, dot] of dots.entries()) set(dot, { cx: x, cy: `${point.ys[index] ?? 0}%` });
    words.textContent = point.text;
    set(chart, { 'aria-valuenow': String(at + 1), 'aria-valuetext': point.text });
    chart.append(shown);
    place.append(words);
    words.style.insetInlineStart = `clamp(0px, calc(${x} - ${words.offsetWidth / 2}px + 40px), calc(100% - ${words.offsetWidth}px))`;
  };
  const hide = () => {
    if (document.activeElement === chart) return;
    shown.remove();
    words.remove();
  };
  set(chart, {
    tabindex: '0',
    role: 'slider',
    'aria-valuemin': '1',
    'aria-valuemax': String(points.length),
    'aria-valuenow': String(points.length),
    'aria-valuetext': points[at]?.text ?? '',
  });
  chart.addEventListener('pointermove', ({ clientX }) => {
    const { left, width } = chart.getBoundingClientRect();
    show(nearest(points, ((clientX - left) / width) * 100));
  });
  chart.addEventListener('pointerleave', hide);
  chart.addEventListener('focus', () => show(at));
  chart.addEventListener('blur', hide);
  chart.addEventListener('keydown', (event) => {
    const next = stepTo(event.key, at, points.length);
    if (next === null) return;
    event.preventDefault();
    show(next);
  });
}
