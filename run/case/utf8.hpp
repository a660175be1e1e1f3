#pragma once

#include <cstddef>
#include <string_view>

namespace corral::run {

/// Where the first byte stands that is not part of a UTF-8 character (RFC 3629: neither overlong forms nor
/// surrogates); text.size() where all is well.
std::size_t first_not_utf8(std::string_view text);

/// "UTF-16" or "UTF-32" where the text is written in one of them, by its byte order mark or by its zeros; "" otherwise.
std::string_view wide_encoding(std::string_view text);

/// The text without the mark that some editors put before UTF-8.
std::string_view without_byte_order_mark(std::string_view text);

/// Where the first control character other than a tab stands; text.size() where there is none.
std::size_t first_control_character(std::string_view text);

} // namespace corral::run
