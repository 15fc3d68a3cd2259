// Records of games in their binary form, .pgb; docs/records.md says what stands where.

const SIGNATURE = [0x89, 0x50, 0x47, 0x42, 0x0d, 0x0a, 0x1a, 0x0a];
const HEAD = 9; // bytes of a block before its content: kind, length, checksum
const FIXED = 15; // bytes of a game before its JSON
const DICE_KNOWN = 1;
const ROLLS_FOLLOW = 2;
export const ENDINGS = { rules: 0, limit: 1, room: 2, unfinished: 3, resigned: 4, time: 5 };

/** The games of a file as they are stored, each with the heading that it shares. */
export function* storedGames(bytes) {
  if (SIGNATURE.some((each, at) => bytes[at] !== each)) throw new Error("it is no binary record");
  const view = new DataView(bytes.buffer);
  let heading = null;
  let start = SIGNATURE.length;
  while (start < bytes.length) {
    const end = start + HEAD <= bytes.length ? start + HEAD + view.getUint32(start + 1, true) : Infinity;
    const content = bytes.subarray(start + HEAD, end);
    const isWhole = end <= bytes.length && view.getUint32(start + 5, true) === checksum([bytes.subarray(start, start + 1), content]);
    if (!isWhole) throw new Error(`it is damaged at byte ${start}`);
    if (bytes[start] === "H".charCodeAt()) heading = JSON.parse(new TextDecoder().decode(content));
    else yield { ...heading, ...storedGame(content) };
    start = end;
  }
}

function storedGame(content) {
  const view = new DataView(content.buffer, content.byteOffset, content.length);
  const begin = FIXED + view.getUint32(11, true);
  const { tags = {}, comments = {}, date = null, ...about } = begin > FIXED ? JSON.parse(new TextDecoder().decode(content.subarray(FIXED, begin))) : {};
  return {
    tags, comments, date, ...about,
    ending: view.getUint8(0),
    winner: view.getInt8(1),
    rollsFollow: Boolean(view.getUint8(2) & ROLLS_FOLLOW),
    dice: view.getUint8(2) & DICE_KNOWN ? view.getBigUint64(3, true) : null,
    choices: Array.from({ length: (content.length - begin) >> 1 }, (_, number) => view.getUint16(begin + 2 * number, true)),
  };
}

// CRC-32 of parts one after the other.
function checksum(parts) {
  let sum = -1;
  for (const part of parts) {
    for (const byte of part) {
      sum ^= byte;
      for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
    }
  }
  return ~sum >>> 0;
}
