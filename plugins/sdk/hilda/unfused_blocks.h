// SPDX-License-Identifier: BSD-3-Clause
// Eigen reads this file before its products of matrices (hilda/unfused.h): their blocks are those of a processor
// without fused multiply-add. It has no include guard, for Eigen reads it twice.
#undef EIGEN_HAS_SINGLE_INSTRUCTION_MADD
