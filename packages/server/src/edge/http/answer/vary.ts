import type { FastifyReply } from 'fastify';

/** Adds the name of a request header to `Vary`. */
export function addVary(reply: FastifyReply, name: string): void {
  const before = reply.getHeader('vary');
  if (before === undefined) reply.header('vary', name);
  else if (!String(before).split(', ').includes(name)) reply.header('vary', `${before}, ${name}`);
}
