import { connectChart } from './chart.ts';

for (const figure of document.querySelectorAll<HTMLElement>('[data-points]')) connectChart(figure);
