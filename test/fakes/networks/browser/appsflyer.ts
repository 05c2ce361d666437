import { mark } from './place.ts';

setTimeout(mark, 700, 'afUserId', 'appsflyer-fake-1');
