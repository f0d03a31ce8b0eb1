/**
 * [pure] The checksums of what is stored.
 * I1. That of an event covers its text and its seq, so that a text under another seq does not fit.
 */
import { crc32 } from 'node:zlib';

export const eventChecksum = (seq: number, json: string): number => crc32(json, seq);
export const headerChecksum = (header: string): number => crc32(header);
