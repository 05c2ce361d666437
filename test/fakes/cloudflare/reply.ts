/** A refusal of the API: its status, and the code that clients check. */
export class Refused extends Error {
  readonly status: number;
  readonly code: number;
  constructor(status: number, code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export const ok = (result: unknown, info?: object): Response =>
  Response.json({
    success: true,
    errors: [],
    messages: [],
    result,
    ...(info && { result_info: info }),
  });

export const refused = ({ status, code, message }: Refused): Response =>
  Response.json(
    { success: false, errors: [{ code, message }], messages: [], result: null },
    { status },
  );

/** One page of a list (developers.cloudflare.com/fundamentals/api, pagination). */
export function page(all: unknown[], url: URL): Response {
  const number = Number(url.searchParams.get('page') ?? 1);
  const size = Number(url.searchParams.get('per_page') ?? 20);
  const found = all.slice((number - 1) * size, number * size);
  return ok(found, {
    page: number,
    per_page: size,
    count: found.length,
    total_count: all.length,
    total_pages: Math.ceil(all.length / size),
  });
}

export interface Call {
  /** The values of `:a` and `:b` in the route. */
  a: string;
  b: string;
  url: URL;
  json<T>(): Promise<T>;
  text(): Promise<string>;
  form(): Promise<FormData>;
}
