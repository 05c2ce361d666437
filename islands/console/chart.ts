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

function setAttributes(element: Element, values: Record<string, string>): void {
  for (const [name, value] of Object.entries(values)) element.setAttribute(name, value);
}

function svgPart(tag: string, attributes: Record<string, string>): SVGElement {
  const part = document.createElementNS(svg, tag);
  setAttributes(part, attributes);
  return part;
}

function pointMarks(dotCount: number, place: HTMLElement, chart: SVGSVGElement) {
  const rule = svgPart('line', { class: 'rule', y2: '100%' });
  const dots = Array.from({ length: dotCount }, () => svgPart('circle', { class: 'dot', r: '5' }));
  const drawn = svgPart('g', {});
  drawn.append(rule, ...dots);
  const words = document.createElement('p');
  words.className = 'reading';
  words.setAttribute('aria-hidden', 'true');
  return {
    showAt({ x, ys, text }: Point) {
      setAttributes(rule, { x1: `${x}%`, x2: `${x}%` });
      for (const [at, dot] of dots.entries()) {
        setAttributes(dot, { cx: `${x}%`, cy: `${ys[at] ?? 0}%` });
      }
      words.textContent = text;
      chart.append(drawn);
      place.append(words);
      words.style.insetInlineStart = `clamp(0px, calc(${x}% - ${words.offsetWidth / 2}px + 40px), calc(100% - ${words.offsetWidth}px))`;
    },
    remove() {
      drawn.remove();
      words.remove();
    },
  };
}

/** Shows the value under the pointer and with the arrow keys. A screen reader announces it like a slider's. */
export function connectChart(figure: HTMLElement): void {
  const points: Point[] = JSON.parse(figure.dataset.points ?? '[]');
  const chart = figure.querySelector<SVGSVGElement>('svg.chart');
  if (!chart || points.length === 0) return;
  const marks = pointMarks(points[0]?.ys.length ?? 0, chart.parentElement ?? figure, chart);
  let at = points.length - 1;
  const show = (next: number) => {
    at = next;
    const point = points[at];
    if (!point) return;
    marks.showAt(point);
    setAttributes(chart, { 'aria-valuenow': String(at + 1), 'aria-valuetext': point.text });
  };
  const hide = () => {
    if (document.activeElement !== chart) marks.remove();
  };
  setAttributes(chart, {
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
