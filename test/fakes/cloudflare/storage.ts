import { randomUUID } from 'node:crypto';
import { type Call, ok, page, Refused } from './reply.ts';
import type { CloudflareState } from './state.ts';

/** KV, D1, R2 and queues, by the names of developers.cloudflare.com/api. */
export const storageRoutes = (state: CloudflareState) => {
  const namespace = (id: string) => {
    const found = state.namespaces.find((each) => each.id === id);
    if (!found) throw new Refused(404, 10013, 'namespace not found');
    return found;
  };
  const database = (key: string) => {
    const found = state.databases.find(({ uuid, name }) => uuid === key || name === key);
    if (!found) throw new Refused(404, 7404, `The database ${key} could not be found`);
    return found;
  };
  const bucket = (key: string) => {
    const found = state.buckets.find(({ name }) => name === key);
    if (!found) throw new Refused(404, 10006, 'The specified bucket does not exist.');
    return found;
  };
  const queue = (key: string) => {
    const found = state.queues.find(
      ({ queue_id, queue_name }) => queue_id === key || queue_name === key,
    );
    if (!found) throw new Refused(404, 11000, 'Queue not found.');
    return found;
  };

  return {
    'GET /storage/kv/namespaces': ({ url }: Call) =>
      page(
        state.namespaces.map(({ id, title }) => ({ id, title })),
        url,
      ),
    'POST /storage/kv/namespaces': async ({ json }: Call) => {
      const { title } = await json<{ title: string }>();
      if (state.namespaces.some((each) => each.title === title)) {
        throw new Refused(400, 10014, 'a namespace with this account ID and title already exists');
      }
      const id = randomUUID().replaceAll('-', '');
      state.namespaces.push({ id, title, values: {} });
      return ok({ id, title });
    },
    'GET /storage/kv/namespaces/:a/values/:b': ({ a, b }: Call) => {
      const value = namespace(a).values[b];
      if (value === undefined) throw new Refused(404, 10009, 'get: key not found');
      return new Response(value);
    },
    'PUT /storage/kv/namespaces/:a/values/:b': async ({ a, b, text }: Call) => {
      namespace(a).values[b] = await text();
      return ok(null);
    },
    'POST /d1/database': async ({ json }: Call) => {
      const { name } = await json<{ name: string }>();
      if (state.databases.some((each) => each.name === name)) {
        throw new Refused(400, 7502, 'a database with that name already exists');
      }
      const { uuid } = state.addDatabase(name);
      return ok({ uuid, name });
    },
    'GET /d1/database/:a': ({ a }: Call) => {
      const { uuid, name, read_replication } = database(a);
      return ok({ uuid, name, read_replication });
    },
    // By its id only (developers.cloudflare.com/api/resources/d1/subresources/database/methods/update).
    'PUT /d1/database/:a': async ({ a, json }: Call) => {
      const found = state.databases.find(({ uuid }) => uuid === a);
      if (!found) throw new Refused(404, 7404, `The database ${a} could not be found`);
      const { read_replication } = await json<Pick<typeof found, 'read_replication'>>();
      if (!['auto', 'disabled'].includes(read_replication?.mode))
        throw new Refused(400, 7400, 'The request is malformed: read_replication.mode');
      found.read_replication = read_replication;
      return ok({ uuid: found.uuid, name: found.name, read_replication });
    },
    'POST /d1/database/:a/query': async ({ a, json }: Call) => {
      const { sqlite } = database(a);
      const { sql } = await json<{ sql: string }>();
      const isRead = /^\s*(select|pragma)\b/i.test(sql);
      try {
        const results = isRead ? sqlite.prepare(sql).all() : [];
        if (!isRead) sqlite.exec(sql);
        return ok([{ results, success: true, meta: { duration: 0 } }]);
      } catch (error) {
        throw new Refused(400, 7500, (error as Error).message);
      }
    },
    'GET /r2/buckets/:a': ({ a }: Call) => ok({ name: bucket(a).name }),
    'GET /r2/buckets/:a/lifecycle': ({ a }: Call) => ok({ rules: bucket(a).lifecycle }),
    'PUT /r2/buckets/:a/lifecycle': async ({ a, json }: Call) => {
      bucket(a).lifecycle = (await json<{ rules: unknown[] }>()).rules;
      return ok(null);
    },
    'POST /r2/buckets': async ({ json }: Call) => {
      const { name } = await json<{ name: string }>();
      if (state.buckets.some((each) => each.name === name)) {
        throw new Refused(409, 10004, 'The bucket you tried to create already exists.');
      }
      state.buckets.push({ name, lifecycle: [{ id: 'Default Multipart Abort Rule' }] });
      return ok({ name });
    },
    'GET /queues': ({ url }: Call) => {
      const names = url.searchParams.getAll('name');
      return page(
        state.queues.filter(({ queue_name }) => names.length === 0 || names.includes(queue_name)),
        url,
      );
    },
    'POST /queues': async ({ json }: Call) => {
      const { queue_name } = await json<{ queue_name: string }>();
      if (state.queues.some((each) => each.queue_name === queue_name)) {
        throw new Refused(409, 11009, `Queue name '${queue_name}' is already taken.`);
      }
      const newQueue = { queue_id: randomUUID().replaceAll('-', ''), queue_name, consumers: [] };
      state.queues.push(newQueue);
      return ok(newQueue);
    },
    'GET /queues/:a/consumers': ({ a }: Call) => ok(queue(a).consumers),
    'POST /queues/:a/consumers': async ({ a, json }: Call) => {
      const { consumers } = queue(a);
      if (consumers.length > 0) throw new Refused(400, 11004, 'The queue has a consumer already.');
      const body = await json<{
        script_name: string;
        dead_letter_queue?: string;
        settings: object;
      }>();
      if (body.dead_letter_queue) queue(body.dead_letter_queue);
      const { script_name: script, dead_letter_queue, settings } = body;
      const consumer_id = randomUUID();
      consumers.push({ consumer_id, type: 'worker', script, dead_letter_queue, settings });
      return ok(consumers[0]);
    },
    'PUT /queues/:a/consumers/:b': async ({ a, b, json }: Call) => {
      const found = queue(a).consumers.find(({ consumer_id }) => consumer_id === b);
      if (!found) throw new Refused(404, 11001, 'Consumer not found.');
      return ok(Object.assign(found, await json<object>()));
    },
  };
};
