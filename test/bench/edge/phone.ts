/** The location that Cloudflare reports; workerd reads it from this header. */
const edge = (country: string, timezone: string) =>
  `MF-CF-Blob: ${JSON.stringify({ country, timezone })}`;

/** A phone browser's request for a page, as bytes of HTTP. */
export function visit(
  path: string,
  { cookie = '', country = 'US', timezone = 'America/New_York', language = 'en-US' } = {},
): string {
  const lines = [
    `GET ${path} HTTP/1.1`,
    'Host: funnel.example.com',
    'User-Agent: Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
    'Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'Accept-Encoding: gzip, deflate, br',
    `Accept-Language: ${language},en;q=0.5`,
    'Sec-Fetch-Site: none',
    'Sec-Fetch-Mode: navigate',
    'Sec-Fetch-Dest: document',
    edge(country, timezone),
    ...(cookie ? [`Cookie: ${cookie}`] : []),
  ];
  return `${lines.join('\r\n')}\r\n\r\n`;
}
