/**
 * Names in the user agents of crawlers, headless browsers, link previews and monitors.
 * Sources: github.com/omrilotan/isbot, github.com/monperrus/crawler-user-agents. Cubot is a maker of phones.
 */
const named =
  /(?<!cu)bots?(?![a-z])|crawl|spider|slurp|headless|phantomjs|slimerjs|puppeteer|playwright|selenium|webdriver|cypress|lighthouse|page ?speed|observatory|gtmetrix|ptst\/|pingdom|catchpoint|gomezagent|dareboost|uptime|synthetics|ruxit|statuscake|splash version|rigor[;)]|preview|link ?check|scrap|fetch|externalhit|externalagent|facebookcatalog|whatsapp\/|imageproxy|emailproxy|mediapartners|favicon|search console|validator|embedly|iframely|(?<!cam)scan|ms-office/i;
/** An address in the user agent; `compatible` was last said by Internet Explorer; Google's tools name Google alone. */
const signed =
  /https?:|@[\w-]+\.[a-z]|mozilla\/5\.0 \(compatible(?!; msie)|google(?:other|[- ](?!pixel|play|tv))|-google\b|; compatible;/i;
/** Link previews of messengers and Office, without the name of an engine. */
const bare = /^(?:viber|skype|snapchat|slack|telegram|line-|microsoft office|synapse|mastodon)/i;
const clients =
  /^(?:curl|wget|python|okhttp|go-http|node-|axios|java|ruby|perl|php|dart|undici|postman|apache-)|libwww|http-?client|aiohttp|guzzle|requests|^(?!mozilla|opera|browser)[\w.-]+\/v?\d(?!.*(?:webkit|gecko|midp|ucweb|opera))/i;

/** Whether a program without a person behind it loads the page, such as a link preview. */
export const isUnattended = (agent: string): boolean =>
  named.test(agent) || signed.test(agent) || bare.test(agent);

/** Also libraries and command lines. */
export const isProgram = (agent: string): boolean => isUnattended(agent) || clients.test(agent);
