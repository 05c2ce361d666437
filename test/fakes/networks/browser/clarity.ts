import { mark } from './place.ts';

mark('_clck', 'heatmap.fake');
