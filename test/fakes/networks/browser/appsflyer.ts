import { mark } from './script-origin.ts';

setTimeout(mark, 700, 'afUserId', 'appsflyer-fake-1');
