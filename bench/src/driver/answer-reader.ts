import { gunzipSync } from 'node:zlib';

/** One answer of HTTP/1.1. The body is kept on request, and for an error; then it is decompressed. */
export type HttpAnswer = {
  readonly status: number;
  /** The size as sent. */
  readonly bodyBytes: number;
  readonly body: Buffer | undefined;
};

/** Finds the end of an answer in the bytes of a connection. */
export class AnswerReader {
  #keepBody = false;
  #head = '';
  #status = 0;
  #isChunked = false;
  #isGzipped = false;
  #bodyBytes = 0;
  /** Bytes until the end of the body or of the chunk. Undefined while a line is read. */
  #remaining: number | undefined;
  #line = '';
  #chunkState: 'size' | 'data' | 'data end' | 'trailer' = 'size';
  #kept: Buffer[] = [];

  /** Resets the state for the next answer. */
  begin(keepBody: boolean): void {
    this.#keepBody = keepBody;
    this.#head = '';
    this.#status = 0;
    this.#isChunked = false;
    this.#bodyBytes = 0;
    this.#remaining = undefined;
    this.#line = '';
    this.#chunkState = 'size';
    this.#kept = [];
  }

  /** Takes the next bytes. Returns the answer if they complete it. The bytes may be overwritten later. */
  read(bytes: Buffer): HttpAnswer | undefined {
    let offset = 0;
    if (this.#status === 0) {
      const before = this.#head.length;
      this.#head += bytes.toString('latin1', 0, HEAD_MAX_BYTES);
      const end = this.#head.indexOf('\r\n\r\n');
      if (end === -1) {
        if (this.#head.length >= HEAD_MAX_BYTES)
          throw new Error('The head of an answer is too long.');
        return undefined;
      }
      this.#readHead(this.#head.slice(0, end));
      offset = end + 4 - before;
    }
    return this.#isChunked ? this.#readChunks(bytes, offset) : this.#readBody(bytes, offset);
  }

  #readHead(head: string): void {
    const status = /^HTTP\/1\.1 (\d{3})/.exec(head)?.[1];
    if (status === undefined)
      throw new Error(`This is no answer of HTTP/1.1: ${head.slice(0, 60)}`);
    this.#status = Number(status);
    this.#isChunked = /\r\ntransfer-encoding: *chunked/i.test(head);
    this.#isGzipped = /\r\ncontent-encoding: *gzip/i.test(head);
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    // Not Modified has no body, whatever its head says (RFC 9110 § 15.4.5).
    if (this.#status === 304) {
      this.#isChunked = false;
      this.#remaining = 0;
      return;
    }
    if (!this.#isChunked && length === undefined) {
      throw new Error('An answer does not say where it ends.');
    }
    this.#remaining = this.#isChunked ? undefined : Number(length);
  }

  #readBody(bytes: Buffer, offset: number): HttpAnswer | undefined {
    const remaining = (this.#remaining ?? 0) - (bytes.length - offset);
    if (remaining < 0) throw new Error('An answer is longer than it says.');
    this.#keep(bytes.subarray(offset));
    this.#remaining = remaining;
    return remaining === 0 ? this.#answer() : undefined;
  }

  #readChunks(bytes: Buffer, start: number): HttpAnswer | undefined {
    let offset = start;
    while (offset < bytes.length) {
      if (this.#chunkState === 'data') {
        const end = Math.min(bytes.length, offset + (this.#remaining ?? 0));
        this.#keep(bytes.subarray(offset, end));
        this.#remaining = (this.#remaining ?? 0) - (end - offset);
        offset = end;
        if (this.#remaining === 0) this.#chunkState = 'data end';
        continue;
      }
      const newline = bytes.indexOf(0x0a, offset);
      const end = newline === -1 ? bytes.length : newline;
      this.#line += bytes.toString('latin1', offset, end);
      offset = end + 1;
      if (newline === -1) return undefined;
      const line = this.#line.trimEnd();
      this.#line = '';
      if (this.#chunkState === 'data end') this.#chunkState = 'size';
      else if (this.#chunkState === 'size') {
        const size = Number.parseInt(line, 16);
        if (!(size >= 0)) throw new Error(`This is no size of a chunk: '${line.slice(0, 20)}'.`);
        this.#remaining = size;
        this.#chunkState = size === 0 ? 'trailer' : 'data';
      } else if (line === '') return this.#answer();
    }
    return undefined;
  }

  #keep(bytes: Buffer): void {
    this.#bodyBytes += bytes.length;
    if (bytes.length > 0 && (this.#keepBody || this.#status >= 300)) {
      this.#kept.push(Buffer.from(bytes));
    }
  }

  #answer(): HttpAnswer {
    return { status: this.#status, bodyBytes: this.#bodyBytes, body: this.#keptBody() };
  }

  #keptBody(): Buffer | undefined {
    if (!this.#keepBody && this.#status < 300) return undefined;
    const body = Buffer.concat(this.#kept);
    return this.#isGzipped && body.length > 0 ? gunzipSync(body) : body;
  }
}

const HEAD_MAX_BYTES = 4 * 1024;
